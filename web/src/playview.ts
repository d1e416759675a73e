// How a game is played by hand, wherever its rules are: a board, a field to type in, and what is
// said of a position and of a move that is illegal.

import { Board } from "./board";
import type { Input } from "./board";
import { throwShown } from "./dice";
import { button, el, field, fill } from "./dom";
import type { Child } from "./dom";
import { MoveList } from "./movelist";
import { statusText, swapText } from "./names";
import { announce, runAsync } from "./notices";
import type { Position } from "./protocol";
import type { Session } from "./session";
import { fillTable } from "./views";

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

export class PlayView {
  readonly board: Board;
  readonly moves: MoveList;
  private readonly title = el("h1");
  private readonly status = el("p", { class: "status" });
  private readonly swapped = el("p", { class: "swapped" });
  private readonly thrown = el("div", { class: "thrown" });
  private readonly refusal = el("p", { class: "refusal", role: "status" });
  private readonly table = el("table", { class: "cells" });
  private readonly wide = el("div", { class: "wide unseen" }, this.table);
  private readonly typed = el("input", {
    name: "move",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: "type a move",
    "aria-label": "Move",
  });
  private lastSaid = "";

  /** `illegal` is told what was chosen or typed and is no legal move as it stands. */
  constructor(
    private readonly session: Session,
    private readonly illegal: (move: string) => void,
  ) {
    this.moves = new MoveList(session);
    this.board = new Board({
      play: (move) => this.play(move),
      refuse: illegal,
      picked: (said) => this.picked(said),
    });
  }

  /** The board with what stands above it, under the title, and below it. */
  middle(begin: () => void, above: Child[], below: Child[]): HTMLElement {
    const submit = (event: Event) => {
      event.preventDefault();
      if (this.typed.value.trim()) this.type(this.typed.value.trim());
    };
    return el(
      "section",
      { class: "middle", "aria-label": "Board" },
      this.title,
      ...above,
      this.board.element,
      this.thrown,
      this.status,
      this.swapped,
      this.refusal,
      this.board.choices,
      el(
        "div",
        { class: "row under" },
        this.moves.controls,
        el("form", { class: "typing", submit }, this.typed),
        this.board.zoom.button,
        button("New game", begin, { class: "new-game" }),
      ),
      ...below,
      this.wide,
    );
  }

  /** Whether those who see the board have it as a table too. */
  tableField(): HTMLElement {
    const seen = el("input", { type: "checkbox" });
    seen.addEventListener("change", () => this.wide.classList.toggle("unseen", !seen.checked));
    return field("The board as a table", seen);
  }

  /** Shows a position, in which moves can be chosen, planned or not. */
  show(position: Position, input: Input): void {
    const { setup, result } = this.session;
    const text = statusText(position, setup, result);
    this.title.textContent = position.title;
    this.refuse(position.problem?.message ?? "");
    this.board.flip(setup.flipped ?? false);
    this.board.show(position, input);
    this.moves.show(position);
    fillTable(this.table, position);
    this.status.textContent = text;
    this.status.classList.toggle("over", Boolean(position.outcome ?? result));
    this.swapped.textContent = swapText(position, setup);
    fill(this.thrown, throwShown(position));
    this.tell(position, text);
  }

  /** Says why a move is illegal. */
  refuse(why: string): void {
    this.refusal.textContent = why;
  }

  /** Whether a move was typed, which is no longer in its field then. */
  takeTyped(): boolean {
    const isTyped = Boolean(this.typed.value);
    this.typed.value = "";
    return isTyped;
  }

  /** Plays a move; nothing stays chosen where that fails. */
  play(move: string): void {
    runAsync(async () => {
      try {
        await this.session.play(move);
      } catch (error) {
        this.board.clear();
        throw error;
      }
    });
  }

  /** Left and right step through the game wherever no field or board takes them. */
  pressed(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const isBusy = target.closest("input, select, textarea, .editor, [data-cell]");
    const step = STEPS[event.key];
    if (isBusy || event.altKey || event.ctrlKey || event.metaKey || step === undefined) return;
    event.preventDefault();
    runAsync(() => this.session.goTo(this.session.ply + step));
  }

  private tell(position: Position, text: string): void {
    const last = position.moves.at(-1);
    const said = last ? `${last.player ? last.side : "chance"}: ${last.text}. ${text}` : text;
    if (said !== this.lastSaid) announce(said);
    this.lastSaid = said;
  }

  private picked(said: string): void {
    this.refuse("");
    if (said) announce(said);
  }

  /** Plays a move that was typed as the game writes it, in small letters or in capitals. */
  private type(move: string): void {
    const legal = this.session.position?.legal.map(({ text }) => text) ?? [];
    const same = (text: string) => text.toLowerCase() === move.toLowerCase();
    const found = legal.find((text) => text === move) ?? legal.find(same);
    if (found === undefined) return this.illegal(move);
    this.takeTyped();
    this.play(found);
  }
}
