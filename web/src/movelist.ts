// The move list of the game, and the buttons that step through it.

import { button, el, fill, iconButton } from "./dom";
import { runAsync } from "./notices";
import type { Position } from "./protocol";
import type { Session } from "./session";

const [START, BACK, FORWARD, END] = ["M2 3h2v10h-2z", "M12 3v10l-8 -5z", "M4 3v10l8 -5z", "M12 3h2v10h-2z"];

export class MoveList {
  readonly element = el("ol", { class: "moves", "aria-label": "Moves of the game" });
  readonly controls = el("div", { class: "controls", role: "group", "aria-label": "Navigation" });
  private readonly annotations = new Map<string, { sign: string; title: string }>();
  private readonly buttons: HTMLButtonElement[];

  constructor(private readonly session: Session) {
    const step = (sign: string, label: string, to: () => number) =>
      iconButton(sign, label, () => runAsync(() => session.goTo(to())));
    this.buttons = [
      step(`${START}${BACK}`, "First position", () => 0),
      step(BACK, "Previous move", () => session.ply - 1),
      step(FORWARD, "Next move", () => session.ply + 1),
      step(`${FORWARD}${END}`, "Last position", () => session.record.moves.length),
    ];
    this.controls.append(...this.buttons);
  }

  /** Annotate the move at a ply; the annotation is shown while the moves before it are the same. */
  annotate(ply: number, sign: string, title: string): void {
    this.annotations.set(this.prefixKey(ply), { sign, title });
  }

  private prefixKey(ply: number): string {
    return JSON.stringify({ ...this.session.record, moves: this.session.record.moves.slice(0, ply) });
  }

  show(position: Position): void {
    const { moves } = this.session.record;
    fill(this.element, ...moves.map((text, at) => this.moveItem(text, at + 1, position)));
    const { ply: at } = this.session;
    this.buttons.forEach((step, index) => {
      step.disabled = !this.session.canStep || (index < 2 ? at === 0 : at === moves.length);
    });
    this.element.classList.toggle("empty", !moves.length);
    this.scrollToCurrent();
  }

  private moveItem(text: string, ply: number, { moves }: Position): HTMLLIElement {
    const isCurrent = ply === this.session.ply;
    const annotation = this.annotations.get(this.prefixKey(ply));
    const { player, side } = moves[ply - 1] ?? {};
    const element = button(text, () => runAsync(() => this.session.goTo(ply)), {
      class: "move",
      disabled: !this.session.canStep,
      "aria-current": isCurrent ? "step" : undefined,
      title: annotation?.title ?? (player ? side : undefined),
    });
    if (annotation) {
      element.append(el("span", { class: "remark", "aria-label": annotation.title }, annotation.sign));
    }
    return el("li", {}, element);
  }

  private scrollToCurrent(): void {
    const current = this.element.querySelector<HTMLElement>("[aria-current]");
    const list = this.element;
    if (!current) return void (list.scrollTop = 0);
    const top = current.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }
}
