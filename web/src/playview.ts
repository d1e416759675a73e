// The view of a game in play: the board, the field for typed moves, the status of the game, and the
// reason why a move is illegal.

import { Board } from "./board";
import type { InputMode } from "./board";
import { lastRoll } from "./dice";
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
  private readonly swapNote = el("p", { class: "swapped" });
  private readonly dice = el("div", { class: "thrown" });
  private readonly reason = el("p", { class: "refusal", role: "status" });
  private readonly table = el("table", { class: "cells" });
  private readonly tablePanel = el("div", { class: "wide visually-hidden" }, this.table);
  private readonly moveInput = el("input", {
    name: "move",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: "type a move",
    "aria-label": "Move",
  });
  private lastAnnouncement = "";

  /** `onIllegal` is called with a selected or typed move that is not legal. */
  constructor(
    private readonly session: Session,
    private readonly onIllegal: (move: string) => void,
  ) {
    this.moves = new MoveList(session);
    this.board = new Board({
      onMove: (move) => this.play(move),
      onIllegal,
      onSelect: (text) => this.onSelect(text),
    });
  }

  /** Return the board with the elements above it (below the title) and below it. */
  boardPanel(restart: () => void, above: Child[], below: Child[]): HTMLElement {
    const submit = (event: Event) => {
      event.preventDefault();
      const move = this.moveInput.value.trim();
      if (move) runAsync(() => this.session.ready().then(() => this.playTyped(move)));
    };
    return el(
      "section",
      { class: "middle", "aria-label": "Board" },
      this.title,
      ...above,
      this.board.element,
      this.dice,
      this.status,
      this.swapNote,
      this.reason,
      this.board.choices.element,
      el(
        "div",
        { class: "row under" },
        this.moves.controls,
        el("form", { class: "typing", submit }, this.moveInput),
        this.board.zoom.button,
        button("New game", restart, { class: "new-game" }),
      ),
      ...below,
      this.tablePanel,
    );
  }

  /** Return a checkbox that also shows the table for screen readers. */
  tableField(): HTMLElement {
    const checkbox = el("input", { type: "checkbox" });
    checkbox.addEventListener("change", () => this.tablePanel.classList.toggle("visually-hidden", !checkbox.checked));
    return field("The board as a table", checkbox);
  }

  /** Show a position, with moves or premoves as input, or none. */
  show(position: Position, input: InputMode): void {
    const { setup, result } = this.session;
    const text = statusText(position, setup, result);
    this.title.textContent = position.title;
    this.showReason(position.problem?.message ?? "");
    this.board.flip(setup.flipped ?? false);
    this.board.show(position, input);
    this.moves.show(position);
    fillTable(this.table, position);
    this.status.textContent = text;
    this.status.classList.toggle("over", Boolean(position.outcome ?? result));
    this.swapNote.textContent = swapText(position, setup);
    fill(this.dice, lastRoll(position));
    this.announcePosition(position, text);
  }

  /** Show the reason why a move is illegal. */
  showReason(text: string): void {
    this.reason.textContent = text;
  }

  /** Clear the field for typed moves; return true if it had a text. */
  clearTyped(): boolean {
    const isTyped = Boolean(this.moveInput.value);
    this.moveInput.value = "";
    return isTyped;
  }

  /** Play a move; clear the selection if that fails. */
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

  /** Step through the game by the arrow keys, unless a field or the board has the focus. */
  onKeydown(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const isBusy = target.closest("input, select, textarea, .editor, [data-cell]");
    const step = STEPS[event.key];
    if (isBusy || event.altKey || event.ctrlKey || event.metaKey || step === undefined) return;
    event.preventDefault();
    runAsync(() => this.session.goTo(this.session.ply + step));
  }

  private announcePosition(position: Position, text: string): void {
    const last = position.moves.at(-1);
    const announcement = last ? `${last.player ? last.side : "chance"}: ${last.text}. ${text}` : text;
    if (announcement !== this.lastAnnouncement) announce(announcement);
    this.lastAnnouncement = announcement;
  }

  private onSelect(text: string): void {
    this.showReason("");
    if (text) announce(text);
  }

  /** Play a typed move; upper and lower case are equal. */
  private playTyped(move: string): void {
    const legal = this.session.position?.legal.map(({ text }) => text) ?? [];
    const isSame = (text: string) => text.toLowerCase() === move.toLowerCase();
    const match = legal.find((text) => text === move) ?? legal.find(isSame);
    if (match === undefined) return this.onIllegal(move);
    this.clearTyped();
    this.play(match);
  }
}
