// The transforms of a spec as fields of a form, with their numeric arguments.

import { request } from "./api";
import { el, field, fill } from "./dom";
import type { Spec, Transform, TransformOption } from "./protocol";
import { withCode } from "./views";

const TRANSFORM_LABELS: Record<string, string> = {
  misere: "Misère: the winner loses",
  torus: "Torus: opposite edges are joined",
  pie: "Pie: the second player may swap sides",
  size: "Another size of the board",
};
const ARGUMENT_LABELS: Record<string, string> = { after: "number of moves before the swap" };

/** A transform in the form. */
interface Row {
  option: TransformOption;
  element: HTMLElement;
  checkbox: HTMLInputElement;
  numbers: Map<string, HTMLInputElement>;
}

export class TransformFields {
  readonly element = el("div", { class: "transforms" });
  private rows: Row[] = [];
  private shown: Transform[] = [];
  private gameName = "";

  /** The selected transforms, after those of the game that the form does not contain. */
  get chosen(): Transform[] {
    const offered = this.rows.map(({ option }) => option.name);
    const others = this.shown.filter((one) => !offered.includes(nameOf(one)));
    return [...others, ...this.rows.filter(({ checkbox }) => checkbox.checked).map(toTransform)];
  }

  /** Show the transforms of a game; the inputs stay while the variant is the same. */
  async show(spec: Spec, transforms: Transform[], title: string): Promise<void> {
    const name = "name" in spec ? spec.name : title; // an edited text is the same game
    const isSameGame = name === this.gameName;
    if (isSameGame && transforms === this.shown) return;
    this.gameName = name;
    this.shown = transforms;
    if (!isSameGame) await this.fetchOptions(spec, name);
    this.update();
  }

  /** Fetch the transforms again on the next call of `show`, since the text may have changed. */
  invalidate(): void {
    this.gameName = "";
  }

  private async fetchOptions(spec: Spec, name: string): Promise<void> {
    const { transforms } = await request<{ transforms: TransformOption[] }>("transforms", { spec });
    if (this.gameName === name) this.createRows(transforms);
  }

  private createRows(options: TransformOption[]): void {
    this.rows = options.map(createRow);
    fill(this.element, ...this.rows.map((row) => row.element));
  }

  /** Select the transforms of the current game. */
  private update(): void {
    for (const { option, element, checkbox, numbers } of this.rows) {
      const own = this.shown.find((one) => nameOf(one) === option.name);
      checkbox.checked = own !== undefined;
      element.classList.toggle("wanted", checkbox.checked);
      for (const [name, input] of numbers) {
        input.value = String(argumentOf(own, name) ?? option.takes[name]);
      }
    }
  }
}

/** Return a transform as text: `pie, after 1`. */
export function transformText(transform: Transform): string {
  if (typeof transform === "string") return transform;
  return Object.entries(transform)
    .map(([name, args]) => [name, ...argumentTexts(args)].join(" "))
    .join(", ");
}

function* argumentTexts(args: unknown): Iterable<string> {
  if (typeof args === "number") yield String(args);
  else if (args && typeof args === "object") {
    for (const [name, value] of Object.entries(args)) yield `${name} ${value}`;
  }
}

function nameOf(transform: Transform): string {
  return typeof transform === "string" ? transform : (Object.keys(transform)[0] ?? "");
}

/** Return a named argument of a transform, or its only argument. */
function argumentOf(transform: Transform | undefined, name: string): unknown {
  const args = typeof transform === "object" ? Object.values(transform)[0] : undefined;
  return args && typeof args === "object" ? (args as Record<string, unknown>)[name] : args;
}

function toTransform({ option, numbers }: Row): Transform {
  if (!numbers.size) return option.name;
  const args = [...numbers].map(([name, input]) => [name, Number(input.value)]);
  return { [option.name]: Object.fromEntries(args) };
}

function numberInput(value: number): HTMLInputElement {
  return el("input", { type: "number", min: 1, max: 99, value });
}

function createRow(option: TransformOption): Row {
  const { name, takes, refused } = option;
  const checkbox = el("input", { type: "checkbox", disabled: Boolean(refused) });
  const numbers = new Map(Object.entries(takes).map(([key, value]) => [key, numberInput(value)]));
  const element = el(
    "div",
    { class: "offer" },
    field(TRANSFORM_LABELS[name] ?? name, checkbox),
    refused && el("p", { class: "why" }, ...withCode(refused)),
    ...[...numbers].map(([key, input]) => field(ARGUMENT_LABELS[key] ?? key, input)),
  );
  checkbox.addEventListener("change", () => element.classList.toggle("wanted", checkbox.checked));
  return { option, element, checkbox, numbers };
}
