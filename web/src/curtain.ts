// The curtain between two persons at one device, in a game that hides something.

import { button, el, fill } from "./dom";
import { sideOf } from "./names";
import { runAsync } from "./notices";
import type { Position } from "./protocol";
import type { RoomSession } from "./room";

export class Curtain {
  readonly element = el("section", { class: "curtain", role: "status", "aria-label": "Curtain" });

  constructor(private readonly session: RoomSession) {}

  show(position: Position): void {
    const next = this.session.nextViewer;
    this.element.hidden = next === null;
    if (next === null) return;
    const side = sideOf(position, next);
    const { isCovered } = this.session;
    const text = isCovered ? `Pass the device to ${side}.` : `${side} is to move.`;
    const label = isCovered ? "Show my view" : "Hide my view";
    const turn = () => (isCovered ? this.session.uncover() : this.session.cover());
    fill(this.element, el("p", {}, text), button(label, () => runAsync(turn), { class: "main" }));
  }
}
