// The parameters of a spec as a form.

import { button, choice, el, field, fill } from "./dom";
import type { Declared, Parameter, Parameters, Position } from "./protocol";

const FEW = 40; // values that a list may hold

export class ParameterForm {
  readonly element = el("form", { class: "parameters", submit: (event) => this.sent(event) });
  private shown = "";
  private values: Parameters = {};

  constructor(private readonly act: (parameters: Parameters) => void) {}

  show({ declared, parameters }: Position): void {
    const key = JSON.stringify([declared, parameters]);
    if (key === this.shown) return;
    this.shown = key;
    this.values = { ...parameters };
    this.element.hidden = !declared.length;
    const fields = declared.map((one) => field(one.name, this.input(one)));
    fill(this.element, ...fields, button("Begin anew with these", () => this.act(this.changed())));
  }

  private sent(event: Event): void {
    event.preventDefault();
    this.act(this.changed());
  }

  private changed(): Parameters {
    return { ...this.values };
  }

  private input(one: Declared): HTMLElement {
    const now = String(this.values[one.name] ?? one.default);
    const values = listed(one);
    if (values) {
      const shown = values.map((value) => [String(value), word(value)] as const);
      return choice(shown, now, (text) => {
        this.values[one.name] = values.find((value) => String(value) === text)!;
      });
    }
    const { from, to, step = 1 } = one;
    const input = el("input", { type: "number", min: from, max: to, step, value: now });
    input.addEventListener("input", () => (this.values[one.name] = Number(input.value)));
    return input;
  }
}

/** All values of a parameter, if they are few. */
function listed({ choices, from, to, step = 1 }: Declared): Parameter[] | null {
  if (choices) return choices;
  if (from === undefined || to === undefined || (to - from) / step >= FEW) return null;
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);
}

function word(value: Parameter): string {
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
}
