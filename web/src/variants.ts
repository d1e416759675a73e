// The variants of a game: a form for parameters and transforms, and a text that describes them.

import { button, el } from "./dom";
import { reportError } from "./notices";
import { ParameterFields, valueText } from "./parameters";
import type { Position, Transform, Variant } from "./protocol";
import type { Session } from "./session";
import { TransformFields, transformText } from "./transforms";

const NO_TRANSFORMS: Transform[] = [];

export class VariantForm {
  private readonly parameters = new ParameterFields();
  private readonly transforms = new TransformFields();
  readonly element = el(
    "details",
    { class: "setup variant-form", toggle: () => this.onToggle() },
    el("summary", {}, "Variant"),
    el(
      "form",
      { class: "fields", submit: (event) => this.submit(event) },
      this.parameters.element,
      this.transforms.element,
      button("Start this variant", () => undefined, { type: "submit" }),
    ),
  );

  constructor(
    private readonly session: Session,
    private readonly onSubmit: (variant: Variant) => void,
  ) {}

  show(position: Position): void {
    this.parameters.show(position);
    this.showTransforms();
  }

  private onToggle(): void {
    if (!this.element.open) this.transforms.invalidate();
    this.showTransforms();
  }

  /** Fetch the transforms when the form is open, since the request takes time. */
  private showTransforms(): void {
    const { position, record } = this.session;
    if (!this.element.open || !position) return;
    this.transforms.show(record.spec, record.with ?? NO_TRANSFORMS, position.title).catch(reportError);
  }

  private submit(event: Event): void {
    event.preventDefault();
    this.onSubmit({ parameters: { ...this.parameters.values }, with: this.transforms.chosen });
  }
}

/** Return the differences of a variant from the game, as in `n 6, misere`; empty for the game itself. */
export function variantText({ declared, parameters }: Position, { with: more = [] }: Variant): string {
  const changed = declared.filter((one) => parameters[one.name] !== one.default);
  const values = changed.map(({ name }) => `${name} ${valueText(parameters[name]!)}`);
  return [...values, ...more.map(transformText)].join(", ");
}
