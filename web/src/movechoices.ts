// Buttons for moves that cells do not distinguish.

import { button, el, fill } from "./dom";
import type { LegalMove } from "./protocol";

export class MoveChoices {
  readonly element = el("div", { class: "choices", role: "group", "aria-label": "Moves" });

  /** `onPreview` is called with the cells of a tile under the pointer, or with none. */
  constructor(
    private readonly onMove: (text: string) => void,
    private readonly onPreview: (cells: number[]) => void,
  ) {}

  show(moves: LegalMove[]): void {
    fill(this.element, ...moves.map((move) => this.createButton(move)));
  }

  /** Move the focus to the first button. */
  focus(): void {
    this.element.querySelector("button")?.focus();
  }

  private createButton({ text, covers = [] }: LegalMove): HTMLButtonElement {
    const element = button(text, () => this.onMove(text), { class: "choice" });
    for (const event of ["pointerenter", "focus"]) {
      element.addEventListener(event, () => this.onPreview(covers));
    }
    for (const event of ["pointerleave", "blur"]) {
      element.addEventListener(event, () => this.onPreview([]));
    }
    return element;
  }
}
