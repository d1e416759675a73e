// The variants of a game: a form for parameters and transforms, and what tells them in a line.

import { button, el } from "./dom";
import { reportError } from "./notices";
import { ParameterFields, word } from "./parameters";
import type { Position, Transform, Variant } from "./protocol";
import type { Session } from "./session";
import { told, TransformFields } from "./transforms";

const NONE: Transform[] = [];

export class VariantForm {
  private readonly parameters = new ParameterFields();
  private readonly transforms = new TransformFields();
  readonly element = el(
    "details",
    { class: "setup variant-form", toggle: () => this.toggled() },
    el("summary", {}, "Variant"),
    el(
      "form",
      { class: "fields", submit: (event) => this.sent(event) },
      this.parameters.element,
      this.transforms.element,
      button("Begin anew with these", () => undefined, { type: "submit" }),
    ),
  );

  constructor(
    private readonly session: Session,
    private readonly act: (variant: Variant) => void,
  ) {}

  show(position: Position): void {
    this.parameters.show(position);
    this.offer();
  }

  private toggled(): void {
    if (!this.element.open) this.transforms.forget();
    this.offer();
  }

  /** What may be changed takes a while to find out: nobody asks before the form is open. */
  private offer(): void {
    const { position, record } = this.session;
    if (!this.element.open || !position) return;
    this.transforms.show(record.spec, record.with ?? NONE, position.title).catch(reportError);
  }

  private sent(event: Event): void {
    event.preventDefault();
    this.act({ parameters: { ...this.parameters.values }, with: this.transforms.chosen });
  }
}

/** What tells a variant from the game as it is: `n 6, misere`; empty for the game itself. */
export function variantText({ declared, parameters }: Position, { with: more = [] }: Variant): string {
  const changed = declared.filter((one) => parameters[one.name] !== one.default);
  const values = changed.map(({ name }) => `${name} ${word(parameters[name]!)}`);
  return [...values, ...more.map(told)].join(", ");
}
