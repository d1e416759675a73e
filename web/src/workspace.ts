// A game on the page: its board, and beside it what one does with it: play, edit, analyse.

import { Analysis } from "./analysis";
import { ask } from "./api";
import { Board } from "./board";
import { Clock, PACES } from "./clock";
import { button, choice, el, field, fill } from "./dom";
import { Editing } from "./editing";
import { MoveList } from "./movelist";
import { notify, say, tryTo } from "./notices";
import { Opponents } from "./opponents";
import type { Choose } from "./opponents";
import type { Position, Rules } from "./protocol";
import { RecordBox } from "./recordbox";
import { PERSON, Seats } from "./seats";
import type { Session } from "./session";
import { VariantForm, variantText } from "./variants";
import { fillTable, rulesText, standing } from "./views";

export type Mode = "play" | "edit" | "analyse";
export const MODES: readonly Mode[] = ["play", "edit", "analyse"];

export class Workspace {
  readonly element = el("div", { class: "workspace" });
  private mode: Mode = "play";
  private isLost = "";
  private lastSaid = "";
  private readonly board: Board;
  private readonly moves: MoveList;
  private readonly seats: Seats;
  private readonly clock: Clock;
  private readonly opponents: Opponents;
  private readonly analysis: Analysis;
  private readonly editing: Editing;
  private readonly form: VariantForm;
  private readonly title = el("h1");
  private readonly variant = el("p", { class: "variant" });
  private readonly status = el("p", { class: "status" });
  private readonly refusal = el("p", { class: "refusal", role: "status" });
  private readonly typed = el("input", {
    name: "move",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: "type a move",
    "aria-label": "Move",
  });
  private readonly table = el("table", { class: "cells" });
  private readonly wide = el("div", { class: "wide unseen" }, this.table);
  private readonly valued = el("input", { type: "checkbox" });
  private readonly rules = el("div");
  private readonly about = el(
    "details",
    { class: "about", toggle: () => this.tellRules() },
    el("summary", {}, "Rules in English"),
    this.rules,
  );
  private toldRules = "";

  constructor(private readonly session: Session) {
    this.board = new Board({
      play: (move) => this.play(move),
      refuse: (move) => tryTo(() => this.why(move)),
      picked: (said) => this.picked(said),
    });
    this.moves = new MoveList(session);
    this.seats = new Seats(() => this.again());
    this.clock = new Clock(
      () => this.seats.tick((player) => this.clock.text(player)),
      (player) => this.flag(player),
    );
    this.opponents = new Opponents(session, this.seats, asked, (isThinking) =>
      this.think(isThinking),
    );
    this.analysis = new Analysis(session, this.board, this.moves);
    this.editing = new Editing(session);
    this.form = new VariantForm(session, (variant) => this.restart(() => session.vary(variant)));
    this.element.append(this.editing.element, this.middle(), this.side());
    session.listen((position) => this.show(position));
  }

  /** Lets the page be there for something else. */
  async enter(mode: Mode): Promise<void> {
    this.mode = mode;
    this.element.dataset.mode = mode;
    this.opponents.awake = mode === "play";
    this.analysis.shows = mode === "analyse" ? "all" : this.shown();
    if (mode !== "play") this.clock.stop();
    this.again();
    if (mode === "edit") await this.editing.show();
  }

  /** Stops all that goes on by itself. */
  leave(): void {
    this.opponents.awake = false;
    this.opponents.rest();
    this.analysis.stop();
    this.clock.stop();
  }

  private middle(): HTMLElement {
    const again = button("New game", () => this.restart(() => this.session.restart()));
    return el(
      "section",
      { class: "middle", "aria-label": "Board" },
      this.title,
      this.variant,
      this.analysis.value,
      this.board.element,
      this.status,
      this.refusal,
      this.board.choices,
      el("div", { class: "row under" }, this.moves.controls, this.typing(), again),
      this.analysis.line,
      this.wide,
    );
  }

  /** What of the analysis is shown while one plays. */
  private shown(): "bar" | "nothing" {
    return this.valued.checked && this.mode === "play" ? "bar" : "nothing";
  }

  private typing(): HTMLElement {
    const submit = (event: Event) => {
      event.preventDefault();
      const move = this.typed.value.trim();
      if (move) this.type(move);
    };
    return el("form", { class: "typing", submit }, this.typed);
  }

  private side(): HTMLElement {
    const pace = choice(PACES, "", (chosen) => this.clock.set(chosen));
    const seen = el("input", { type: "checkbox" });
    seen.addEventListener("change", () => this.wide.classList.toggle("unseen", !seen.checked));
    this.valued.addEventListener("change", () => tryTo(() => this.enter(this.mode)));
    const record = new RecordBox(this.session, this.seats, () => this.mode);
    return el(
      "aside",
      { class: "side", "aria-label": "Game" },
      this.seats.element,
      this.analysis.element,
      el("h2", {}, "Moves"),
      this.moves.element,
      record.element,
      this.form.element,
      el(
        "details",
        { class: "setup" },
        el("summary", {}, "Settings"),
        el(
          "div",
          { class: "fields" },
          field("Clock", pace),
          field("Value and best line while playing", this.valued),
          field("The board as a table", seen),
        ),
      ),
      this.about,
    );
  }

  // what is shown

  private show(position: Position): void {
    const mover = this.seats.of(position.mover);
    const canPlay = !this.isLost && !position.chance && (mover === PERSON || this.mode !== "play");
    this.title.textContent = position.title;
    this.variant.textContent = variantText(position, this.session.record);
    document.title = `${position.title} – rulesengine`;
    this.refusal.textContent = position.problem?.message ?? "";
    this.board.show(position, canPlay || (position.chance && this.mode !== "play"));
    this.moves.show(position);
    this.seats.show(position, (player) => this.clock.text(player));
    this.form.show(position);
    fillTable(this.table, position);
    this.tell(position);
    this.analysis.show(position);
    this.time(position);
    this.tellRules();
    void this.opponents.consider(position);
  }

  private tell(position: Position): void {
    const text = this.isLost || standing(position);
    this.status.textContent = text;
    this.status.classList.toggle("over", Boolean(position.outcome || this.isLost));
    const last = position.moves.at(-1);
    const said = last ? `${last.player || "chance"}: ${last.text}. ${text}` : text;
    if (said !== this.lastSaid) say(said);
    this.lastSaid = said;
  }

  private think(isThinking: boolean): void {
    this.element.classList.toggle("thinking", isThinking);
  }

  private time({ outcome, mover, chance, ply }: Position): void {
    if (this.mode !== "play" || outcome || this.isLost) return this.clock.stop();
    if (!chance && ply > 0 && this.session.isAtEnd) this.clock.start(mover);
  }

  private flag(player: string): void {
    this.isLost = `${player} is out of time`;
    this.opponents.rest();
    this.opponents.awake = false;
    this.again();
  }

  private picked(said: string): void {
    this.refusal.textContent = "";
    if (said) say(said);
  }

  // what is done

  private play(move: string): void {
    tryTo(() => this.session.play(move));
  }

  /** Plays a move that was typed, in any way that the game reads it. */
  private type(move: string): void {
    const legal = this.session.position?.legal.map(({ text }) => text) ?? [];
    const found = legal.find((text) => text.toLowerCase() === move.toLowerCase());
    if (found === undefined) return tryTo(() => this.why(move));
    this.typed.value = "";
    this.play(found);
  }

  /** Says why a move is illegal, or plays what it means. */
  private async why(move: string): Promise<void> {
    const answer = await ask<{ legal: boolean; move: string | null; text: string }>("why", {
      ...this.session.shown,
      move,
    });
    if (answer.legal && answer.move !== null && this.typed.value) {
      this.typed.value = "";
      return this.session.play(answer.move);
    }
    this.refusal.textContent = answer.text;
    return undefined;
  }

  private restart(work: () => Promise<void>): void {
    this.isLost = "";
    this.clock.reset();
    this.opponents.awake = this.mode === "play";
    tryTo(work);
  }

  /** Shows the same position to who plays or looks otherwise now. */
  private again(): void {
    if (this.session.position) this.show(this.session.position);
  }

  /** The rules in English, where they are open and others than those told last. */
  private tellRules(): void {
    const { spec, parameters, with: transforms } = this.session.record;
    const asked = { spec, parameters, with: transforms };
    const key = JSON.stringify(asked);
    if (!this.about.open || this.toldRules === key) return;
    this.toldRules = key;
    tryTo(async () => fill(this.rules, rulesText(await ask<Rules>("rules", asked))));
  }

  /** Left and right step through the game wherever no field or board takes them. */
  pressed(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const isBusy = target.closest("input, select, textarea, .editor, [data-cell]");
    if (isBusy || event.altKey || event.ctrlKey || event.metaKey) return;
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    tryTo(() => this.session.go(this.session.at + step));
  }
}

const asked: Choose = async (record, player, signal) => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  return (await ask<{ move: string | null }>("play", { ...record, player, seed }, signal)).move;
};

/** Tells a reader who opened a link with a problem. */
export function tellProblem({ problem }: Position): void {
  if (problem) notify(`The game stops at move ${problem.ply}: ${problem.message}`);
}
