// The parameters of a spec as fields of a form.

import { el, field, fill, selectBox } from "./dom";
import type { Parameter, ParameterDeclaration, Parameters, Position } from "./protocol";

const MAX_LISTED = 40; // values in a select box

export class ParameterFields {
  readonly element = el("div", { class: "parameters" });
  values: Parameters = {};
  private shown = "";

  show({ declared, parameters }: Position): void {
    const key = JSON.stringify([declared, parameters]);
    if (key === this.shown) return;
    this.shown = key;
    this.values = { ...parameters };
    fill(this.element, ...declared.map((declaration) => field(declaration.name, this.input(declaration))));
  }

  private input(declaration: ParameterDeclaration): HTMLElement {
    const now = String(this.values[declaration.name] ?? declaration.default);
    const values = listValues(declaration);
    if (values) {
      const shown = values.map((value) => [String(value), valueText(value)] as const);
      return selectBox(shown, now, (text) => {
        this.values[declaration.name] = values.find((value) => String(value) === text)!;
      });
    }
    const { from, to, step = 1 } = declaration;
    const input = el("input", { type: "number", min: from, max: to, step, value: now });
    input.addEventListener("input", () => (this.values[declaration.name] = Number(input.value)));
    return input;
  }
}

/** Return all values of a parameter; null if there are too many. */
function listValues({ choices, from, to, step = 1 }: ParameterDeclaration): Parameter[] | null {
  if (choices) return choices;
  if (from === undefined || to === undefined || (to - from) / step >= MAX_LISTED) return null;
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);
}

/** Return a value as text. */
export function valueText(value: Parameter): string {
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
}
