// A game that is played on a page of its own.

import { Board } from "../board";
import { button, el, field } from "../dom";
import { copy, download } from "../files";
import { MoveList } from "../movelist";
import { say, tryTo } from "../notices";
import { Opponents } from "../opponents";
import type { Position } from "../protocol";
import { PERSON, Seats } from "../seats";
import type { Session } from "../session";
import { fillTable, standing } from "../views";
import type { Engine } from "./engine";

const SEEDS = 2 ** 31;

export class Play {
  readonly element = el("div", { class: "workspace", "data-mode": "play" });
  private readonly board: Board;
  private readonly moves: MoveList;
  private readonly seats: Seats;
  private readonly opponents: Opponents;
  private readonly title = el("h1");
  private readonly status = el("p", { class: "status" });
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

  /** `rules` is an element that tells them. */
  constructor(
    private readonly session: Session,
    private readonly engine: Engine,
    rules: HTMLElement,
  ) {
    this.board = new Board({
      play: (move) => this.play(move),
      refuse: (move) => this.refuse(move),
      picked: (said) => this.picked(said),
    });
    this.moves = new MoveList(session);
    this.seats = new Seats(() => this.again());
    this.opponents = new Opponents(
      session,
      this.seats,
      ({ moves }, player, signal) => engine.choose(moves, player, seed(), signal),
      (isThinking) => this.element.classList.toggle("thinking", isThinking),
    );
    this.element.append(this.middle(), this.side(rules));
    session.listen((position) => this.show(position));
  }

  private middle(): HTMLElement {
    const submit = (event: Event) => {
      event.preventDefault();
      if (this.typed.value.trim()) this.type(this.typed.value.trim());
    };
    return el(
      "section",
      { class: "middle", "aria-label": "Board" },
      this.title,
      this.board.element,
      this.status,
      this.refusal,
      this.board.choices,
      el(
        "div",
        { class: "row under" },
        this.moves.controls,
        el("form", { class: "typing", submit }, this.typed),
        button("New game", () => tryTo(() => this.session.restart())),
      ),
      this.wide,
    );
  }

  private side(rules: HTMLElement): HTMLElement {
    const seen = el("input", { type: "checkbox" });
    seen.addEventListener("change", () => this.wide.classList.toggle("unseen", !seen.checked));
    return el(
      "aside",
      { class: "side", "aria-label": "Game" },
      this.seats.element,
      el("h2", {}, "Moves"),
      this.moves.element,
      el(
        "div",
        { class: "row record" },
        button("Copy record", () => tryTo(async () => copy(await this.record(), "The record"))),
        button("Download record", () => tryTo(async () => download("game.rec", await this.record()))),
      ),
      field("The board as a table", seen),
      el("details", { class: "about" }, el("summary", {}, "Rules"), rules),
    );
  }

  private show(position: Position): void {
    const isPerson = this.seats.of(position.mover) === PERSON;
    this.title.textContent = position.title;
    this.refusal.textContent = position.problem?.message ?? "";
    this.board.show(position, isPerson && !position.chance);
    this.moves.show(position);
    this.seats.show(position, () => "");
    fillTable(this.table, position);
    this.tell(position);
    void this.opponents.consider(position);
  }

  private tell(position: Position): void {
    const text = standing(position);
    this.status.textContent = text;
    this.status.classList.toggle("over", Boolean(position.outcome));
    const last = position.moves.at(-1);
    const said = last ? `${last.player || "chance"}: ${last.text}. ${text}` : text;
    if (said !== this.lastSaid) say(said);
    this.lastSaid = said;
  }

  private picked(said: string): void {
    this.refusal.textContent = "";
    if (said) say(said);
  }

  private play(move: string): void {
    tryTo(() => this.session.play(move));
  }

  /** Plays a move that was typed, in small letters or in capitals. */
  private type(move: string): void {
    const legal = this.session.position?.legal.map(({ text }) => text) ?? [];
    const same = (text: string) => text.toLowerCase() === move.toLowerCase();
    const found = legal.find((text) => text === move) ?? legal.find(same);
    if (found === undefined) return this.refuse(move);
    this.typed.value = "";
    this.play(found);
  }

  private refuse(move: string): void {
    this.refusal.textContent = `${move} is no legal move here`;
  }

  private record(): Promise<string> {
    const sitting = (this.session.position?.players ?? []).map((player) => {
      const who = this.seats.of(player);
      return [player, who === PERSON ? "human" : who];
    });
    return this.engine.record(this.session.record.moves, Object.fromEntries(sitting));
  }

  /** Shows the same position where others play now. */
  private again(): void {
    if (this.session.position) this.show(this.session.position);
  }

  /** Left and right step through the game wherever no field or board takes them. */
  pressed(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const isBusy = target.closest("input, select, textarea, [data-cell]");
    if (isBusy || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    tryTo(() => this.session.go(this.session.at + step));
  }
}

function seed(): number {
  return Math.floor(Math.random() * SEEDS);
}
