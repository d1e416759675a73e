// The moves of the game, to be stepped through, and the buttons that step.

import { button, el, fill, iconButton } from "./dom";
import { runAsync } from "./notices";
import type { Position } from "./protocol";
import type { Session } from "./session";

const [START, BACK, ON, END] = ["M2 3h2v10h-2z", "M12 3v10l-8 -5z", "M4 3v10l8 -5z", "M12 3h2v10h-2z"];

export class MoveList {
  readonly element = el("ol", { class: "moves", "aria-label": "Moves of the game" });
  readonly controls = el("div", { class: "controls", role: "group", "aria-label": "Step" });
  private readonly remarks = new Map<string, { sign: string; title: string }>();
  private readonly buttons: HTMLButtonElement[];

  constructor(private readonly session: Session) {
    const step = (sign: string, label: string, to: () => number) =>
      iconButton(sign, label, () => runAsync(() => session.goTo(to())));
    this.buttons = [
      step(`${START}${BACK}`, "To the start", () => 0),
      step(BACK, "One move back", () => session.ply - 1),
      step(ON, "One move on", () => session.ply + 1),
      step(`${ON}${END}`, "To the last move", () => session.record.moves.length),
    ];
    this.controls.append(...this.buttons);
  }

  /** Marks the move at a ply of the game, as long as that begins as it does now. */
  remark(ply: number, sign: string, title: string): void {
    this.remarks.set(this.beginning(ply), { sign, title });
  }

  private beginning(ply: number): string {
    return JSON.stringify({ ...this.session.record, moves: this.session.record.moves.slice(0, ply) });
  }

  show(position: Position): void {
    const { moves } = this.session.record;
    fill(this.element, ...moves.map((text, at) => this.item(text, at + 1, position)));
    const { ply: at } = this.session;
    this.buttons.forEach((step, index) => {
      step.disabled = index < 2 ? at === 0 : at === moves.length;
    });
    this.element.classList.toggle("empty", !moves.length);
    this.keepInSight();
  }

  private item(text: string, ply: number, { moves }: Position): HTMLLIElement {
    const isHere = ply === this.session.ply;
    const remark = this.remarks.get(this.beginning(ply));
    const { player, side } = moves[ply - 1] ?? {};
    const made = button(text, () => runAsync(() => this.session.goTo(ply)), {
      class: "move",
      "aria-current": isHere ? "step" : undefined,
      title: remark?.title ?? (player ? side : undefined),
    });
    if (remark) made.append(el("span", { class: "remark", "aria-label": remark.title }, remark.sign));
    return el("li", {}, made);
  }

  private keepInSight(): void {
    const here = this.element.querySelector<HTMLElement>("[aria-current]");
    const list = this.element;
    if (!here) return void (list.scrollTop = 0);
    const top = here.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + here.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }
}
