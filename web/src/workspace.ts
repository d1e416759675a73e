// A game on the page: its board, and beside it what one does with it: play, edit, analyse.

import { Analysis } from "./analysis";
import { ask } from "./api";
import { Clock, PACES } from "./clock";
import { choice, el, field, fill } from "./dom";
import { Editing } from "./editing";
import { notify, tryTo } from "./notices";
import { Opponents } from "./opponents";
import type { Choose } from "./opponents";
import { Playing } from "./playing";
import type { Position, Rules } from "./protocol";
import { RecordBox } from "./recordbox";
import { PERSON, Seats } from "./seats";
import type { Session } from "./session";
import { Study } from "./study";
import { VariantForm, variantText } from "./variants";
import { rulesText } from "./views";

export type Mode = "play" | "edit" | "analyse";
export const MODES: readonly Mode[] = ["play", "edit", "analyse"];

export class Workspace {
  readonly element = el("div", { class: "workspace" });
  private mode: Mode = "play";
  private isLost = "";
  private readonly playing: Playing;
  private readonly seats: Seats;
  private readonly clock: Clock;
  private readonly opponents: Opponents;
  private readonly analysis: Analysis;
  private readonly study: Study;
  private readonly editing: Editing;
  private readonly form: VariantForm;
  private readonly variant = el("p", { class: "variant" });
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
    this.playing = new Playing(session, (move) => tryTo(() => this.why(move)));
    this.seats = new Seats(() => this.again());
    this.clock = new Clock(
      () => this.seats.tick((player) => this.clock.text(player)),
      (player) => this.flag(player),
    );
    this.opponents = new Opponents(session, this.seats, asked, (isThinking) =>
      this.think(isThinking),
    );
    this.analysis = new Analysis(session, this.playing.board, this.playing.moves);
    this.study = new Study(session);
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
    this.study.stop();
    this.clock.stop();
  }

  private middle(): HTMLElement {
    const begin = () => this.restart(() => this.session.restart());
    const above = [this.variant, this.analysis.value];
    return this.playing.middle(begin, above, [this.analysis.line]);
  }

  /** What of the analysis is shown while one plays. */
  private shown(): "bar" | "nothing" {
    return this.valued.checked && this.mode === "play" ? "bar" : "nothing";
  }

  private side(): HTMLElement {
    const pace = choice(PACES, "", (chosen) => this.clock.set(chosen));
    this.valued.addEventListener("change", () => tryTo(() => this.enter(this.mode)));
    const record = new RecordBox(this.session, this.seats, () => this.mode);
    return el(
      "aside",
      { class: "side", "aria-label": "Game" },
      this.seats.element,
      this.analysis.element,
      this.study.element,
      el("h2", {}, "Moves"),
      this.playing.moves.element,
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
          this.playing.tableField(),
        ),
      ),
      this.about,
    );
  }

  // what is shown

  private show(position: Position): void {
    const mover = this.seats.of(position.mover);
    const canPlay = !this.isLost && !position.chance && (mover === PERSON || this.mode !== "play");
    this.variant.textContent = variantText(position, this.session.record);
    document.title = `${position.title} – rulesengine`;
    const isShown = canPlay || (position.chance && this.mode !== "play");
    this.playing.show(position, isShown, this.isLost || undefined);
    this.seats.show(position, (player) => this.clock.text(player));
    this.form.show(position);
    this.analysis.show(position);
    this.time(position);
    this.tellRules();
    void this.opponents.consider(position);
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

  // what is done

  /** Says why a move is illegal, or plays what it means. */
  private async why(move: string): Promise<void> {
    const answer = await ask<{ legal: boolean; move: string | null; text: string }>("why", {
      ...this.session.shown,
      move,
    });
    const isMeant = answer.legal && answer.move !== null && this.playing.takeTyped();
    if (isMeant) return this.session.play(answer.move!);
    this.playing.refuse(answer.text);
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

  pressed(event: KeyboardEvent): void {
    this.playing.pressed(event);
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
