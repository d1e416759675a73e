// The parameters of a spec as fields of a form.

import { selectBox, el, field, fill } from "./dom";
import type { ParameterDeclaration, Parameter, Parameters, Position } from "./protocol";

const FEW = 40; // values that a list may hold

export class ParameterFields {
  readonly element = el("div", { class: "parameters" });
  values: Parameters = {};
  private shown = "";

  show({ declared, parameters }: Position): void {
    const key = JSON.stringify([declared, parameters]);
    if (key === this.shown) return;
    this.shown = key;
    this.values = { ...parameters };
    fill(this.element, ...declared.map((one) => field(one.name, this.input(one))));
  }

  private input(one: ParameterDeclaration): HTMLElement {
    const now = String(this.values[one.name] ?? one.default);
    const values = listed(one);
    if (values) {
      const shown = values.map((value) => [String(value), word(value)] as const);
      return selectBox(shown, now, (text) => {
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
function listed({ choices, from, to, step = 1 }: ParameterDeclaration): Parameter[] | null {
  if (choices) return choices;
  if (from === undefined || to === undefined || (to - from) / step >= FEW) return null;
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);
}

/** A value in words. */
export function word(value: Parameter): string {
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
}
