// Transforms of a spec as fields of a form: which are wanted, and the numbers that they take.

import { request } from "./api";
import { el, field, fill } from "./dom";
import type { TransformOption, Spec, Transform } from "./protocol";
import { withCode } from "./views";

const WORDS: Record<string, string> = {
  misere: "Misère: who would win loses",
  torus: "Torus: opposite edges are joined",
  pie: "Pie: the second player may swap sides",
  size: "Another size of the board",
};
const NUMBERS: Record<string, string> = { after: "after so many moves" };

/** A transform while the form is filled in. */
interface Row {
  offer: TransformOption;
  element: HTMLElement;
  wanted: HTMLInputElement;
  numbers: Map<string, HTMLInputElement>;
}

export class TransformFields {
  readonly element = el("div", { class: "transforms" });
  private rows: Row[] = [];
  private shown: Transform[] = [];
  private known = "";

  /** The transforms that are wanted, behind those that a form does not offer. */
  get chosen(): Transform[] {
    const offered = this.rows.map(({ offer }) => offer.name);
    const others = this.shown.filter((one) => !offered.includes(nameOf(one)));
    return [...others, ...this.rows.filter(({ wanted }) => wanted.checked).map(asked)];
  }

  /** Offers what fits a game; what was filled in for the same variant stays. */
  async show(spec: Spec, transforms: Transform[], title: string): Promise<void> {
    const name = "name" in spec ? spec.name : title; // a text that is being written is no other game
    const isKnown = name === this.known;
    if (isKnown && transforms === this.shown) return;
    this.known = name;
    this.shown = transforms;
    if (!isKnown) await this.offer(spec, name);
    this.check();
  }

  /** Lets what fits be asked again: a text may have changed. */
  forget(): void {
    this.known = "";
  }

  private async offer(spec: Spec, name: string): Promise<void> {
    const { transforms } = await request<{ transforms: TransformOption[] }>("transforms", { spec });
    if (this.known === name) this.make(transforms);
  }

  private make(offers: TransformOption[]): void {
    this.rows = offers.map(rowOf);
    fill(this.element, ...this.rows.map((row) => row.element));
  }

  /** Marks the transforms of the game that is shown. */
  private check(): void {
    for (const { offer, element, wanted, numbers } of this.rows) {
      const own = this.shown.find((one) => nameOf(one) === offer.name);
      wanted.checked = own !== undefined;
      element.classList.toggle("wanted", wanted.checked);
      for (const [name, input] of numbers) {
        input.value = String(givenTo(own, name) ?? offer.takes[name]);
      }
    }
  }
}

/** A transform in words: `pie, after 1`. */
export function told(transform: Transform): string {
  if (typeof transform === "string") return transform;
  return Object.entries(transform)
    .map(([name, given]) => [name, ...written(given)].join(" "))
    .join(", ");
}

function* written(given: unknown): Iterable<string> {
  if (typeof given === "number") yield String(given);
  else if (given && typeof given === "object") {
    for (const [name, value] of Object.entries(given)) yield `${name} ${value}`;
  }
}

function nameOf(transform: Transform): string {
  return typeof transform === "string" ? transform : (Object.keys(transform)[0] ?? "");
}

/** The number that a transform has been given by a name, or one number for all. */
function givenTo(transform: Transform | undefined, name: string): unknown {
  const given = typeof transform === "object" ? Object.values(transform)[0] : undefined;
  return given && typeof given === "object" ? (given as Record<string, unknown>)[name] : given;
}

function asked({ offer, numbers }: Row): Transform {
  if (!numbers.size) return offer.name;
  const given = [...numbers].map(([name, input]) => [name, Number(input.value)]);
  return { [offer.name]: Object.fromEntries(given) };
}

function number(value: number): HTMLInputElement {
  return el("input", { type: "number", min: 1, max: 99, value });
}

function rowOf(offer: TransformOption): Row {
  const { name, takes, refused } = offer;
  const wanted = el("input", { type: "checkbox", disabled: Boolean(refused) });
  const numbers = new Map(Object.entries(takes).map(([key, value]) => [key, number(value)]));
  const element = el(
    "div",
    { class: "offer" },
    field(WORDS[name] ?? name, wanted),
    refused && el("p", { class: "why" }, ...withCode(refused)),
    ...[...numbers].map(([key, input]) => field(NUMBERS[key] ?? key, input)),
  );
  wanted.addEventListener("change", () => element.classList.toggle("wanted", wanted.checked));
  return { offer, element, wanted, numbers };
}
