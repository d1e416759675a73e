// Notes on a game that hides something: the view that is shown, and the registers in it.

import { el, fill } from "./dom";
import { hasBegun, sideOf } from "./names";
import type { Position } from "./protocol";

const SHORT = 120; // characters of registers that are shown at once

export class ViewNote {
  readonly note = el("p", { class: "note view-note" });
  private readonly list = el("ul");
  readonly registers = el("details", { class: "about registers" }, el("summary", {}, "Further values in view"), this.list);
  private shownTitle = "";

  show(position: Position, isInRoom: boolean): void {
    this.note.textContent = noteText(position, isInRoom);
    const { registers = [], title } = position;
    const texts = registers.map(([name, value]) => `${name.replaceAll("_", " ")}: ${value || "none"}`);
    this.registers.hidden = !texts.length;
    if (this.shownTitle !== title) this.registers.open = texts.join("").length < SHORT;
    this.shownTitle = title;
    fill(this.list, ...texts.map((text) => el("li", {}, text)));
  }
}

/** Return the sentence on the shown view; empty for a game that hides nothing. */
function noteText(position: Position, isInRoom: boolean): string {
  const { hides, viewer, outcome } = position;
  if (!hides) return "";
  if (viewer) return `This is the view of ${sideOf(position, viewer)}. Everything is shown at the end.`;
  if (viewer === null) return "This is the view that all players share. Everything is shown at the end.";
  if (isInRoom) return "The game is over: everything is shown.";
  if (outcome || hasBegun(position)) return "This is the whole position, as a record has it.";
  return `This game hides ${hides.replaceAll("`", "")}: each player sees only a part.`;
}
