// A game on the page: its board, and beside it what one does with it: play, edit, analyse.

import { Analysis } from "./analysis";
import { request } from "./api";
import type { Input } from "./board";
import { Clock } from "./clock";
import { button, el, field, fill } from "./dom";
import { Editing } from "./specview";
import { GameBar } from "./gamebar";
import type { GameActs } from "./gamebar";
import { onlyPerson, PERSON, occupantOf, winnerOf } from "./names";
import { notify, runAsync } from "./notices";
import { Offers } from "./offers";
import { Opponents } from "./opponents";
import type { Choose } from "./opponents";
import { PlayView } from "./playview";
import { preferences } from "./preferences";
import type { SearchResult, Position, Rules, Setup } from "./protocol";
import { RecordBox } from "./recordbox";
import { areAllSeatsTaken, openRoom, RoomSession } from "./room";
import { RoomBar } from "./roombar";
import { Seats } from "./seats";
import type { Session } from "./session";
import { settingsFields } from "./settings";
import { isAbove, Start } from "./start";
import { Study } from "./study";
import { VariantForm, variantText } from "./variants";
import { rulesText } from "./views";

export type Mode = "play" | "edit" | "analyse";
export const MODES: readonly Mode[] = ["play", "edit", "analyse"];

const HINT = "search:seconds=1"; // the player that gives hints

export class Workspace {
  readonly element = el("div", { class: "workspace" });
  private mode: Mode = "play";
  private readonly playing: PlayView;
  private readonly seats: Seats;
  private readonly clock: Clock;
  private readonly opponents: Opponents;
  private readonly start: Start;
  private readonly bar: GameBar;
  private readonly offers: Offers;
  private readonly analysis: Analysis;
  private readonly study: Study;
  private readonly editing: Editing;
  private readonly record: RecordBox;
  private readonly form: VariantForm;
  private readonly variant = el("p", { class: "variant" });
  private readonly valued = el("input", { type: "checkbox" });
  private readonly rolling = el("div", { class: "choices" });
  private readonly room: RoomSession | null;
  private readonly roomBar: RoomBar | null;
  private readonly rules = el("div");
  private readonly about = el(
    "details",
    { class: "about", toggle: () => this.tellRules() },
    el("summary", {}, "Rules in English"),
    this.rules,
  );
  private toldRules = "";

  constructor(private readonly session: Session) {
    this.playing = new PlayView(session, (move) => runAsync(() => this.why(move)));
    this.room = session instanceof RoomSession ? session : null;
    this.seats = new Seats(session, this.room !== null);
    this.clock = new Clock(
      () => this.seats.tick((player) => this.clock.text(player)),
      (player) => this.room ?? session.settle({ kind: "time", player }),
    );
    this.opponents = new Opponents(
      session,
      chosen,
      (isThinking) => this.think(isThinking),
      () => this.offerAgain(),
    );
    this.start = new Start(
      session,
      (setup) => this.begin(setup),
      (seat) => runAsync(() => this.invite(seat)),
    );
    this.bar = new GameBar(session, this.room ? roomActs(this.room) : this.localActs());
    this.roomBar = this.room && new RoomBar(this.room);
    if (this.room) {
      this.element.dataset.room = "";
      this.opponents.awake = false;
    }
    this.offers = new Offers(
      () => this.worth(),
      () => session.settle({ kind: "agreed" }),
    );
    this.analysis = new Analysis(session, this.playing.board, this.playing.moves);
    this.study = new Study(session);
    this.editing = new Editing(session, this.playing.board);
    this.form = new VariantForm(session, (variant) => this.restart(() => session.startVariant(variant)));
    this.record = new RecordBox(session, () => this.mode);
    this.element.append(this.editing.element, this.middle(), this.side());
    session.listen((position) => this.show(position));
  }

  /** Lets the page be there for something else. */
  async enter(mode: Mode): Promise<void> {
    this.mode = mode;
    this.element.dataset.mode = mode;
    this.opponents.awake = mode === "play" && !this.room;
    this.analysis.shows = mode === "analyse" ? "all" : this.shown();
    if (mode !== "play") this.clock.stop();
    this.again();
    if (mode === "edit") await this.editing.show();
    else this.editing.leave();
  }

  /** Stops all that goes on by itself. */
  leave(): void {
    this.opponents.awake = false;
    this.opponents.rest();
    this.analysis.stop();
    this.study.stop();
    this.clock.stop();
    this.record.leave();
    this.room?.room.leave();
  }

  private localActs(): GameActs {
    const { session } = this;
    return {
      undo: (to) => runAsync(() => session.goTo(to)),
      hint: () => runAsync(() => this.hint()),
      offerDraw: (player) =>
        runAsync(() => this.offers.draw(session.position!, session.setup, player)),
      resign: (player) => session.settle({ kind: "resigned", player }),
    };
  }

  private middle(): HTMLElement {
    const above = [this.variant, this.start.element, this.roomBar?.element, this.analysis.value];
    const below = [this.rolling, this.bar.element, this.offers.element, this.analysis.line];
    return this.playing.middle(() => this.restart(() => this.session.restart({})), above, below);
  }

  /** What of the analysis is shown while one plays. */
  private shown(): "bar" | "nothing" {
    return this.valued.checked && this.mode === "play" ? "bar" : "nothing";
  }

  private side(): HTMLElement {
    this.valued.addEventListener("change", () => runAsync(() => this.enter(this.mode)));
    return el(
      "aside",
      { class: "side", "aria-label": "Game" },
      this.seats.element,
      this.analysis.element,
      this.study.element,
      el("h2", {}, "Moves"),
      this.playing.moves.element,
      this.record.element,
      this.form.element,
      el(
        "details",
        { class: "setup" },
        el("summary", {}, "Settings"),
        el(
          "div",
          { class: "fields" },
          ...settingsFields(() => this.again()),
          field("Value and best line while playing", this.valued),
          this.playing.tableField(),
        ),
      ),
      this.about,
    );
  }

  // what is shown

  private show(position: Position): void {
    if (!this.room) this.clock.set(this.session.setup.clock ?? "");
    this.roomBar?.show(position);
    this.variant.textContent = variantText(position, this.session.record);
    document.title = `${position.title} – rulesengine`;
    this.playing.show(position, this.input(position));
    this.start.show(position, this.mode === "play");
    this.seats.show(position, (player) => this.clock.text(player));
    this.bar.show(position, this.mode === "play");
    this.offers.close();
    this.form.show(position);
    this.analysis.show(position);
    this.time(position);
    this.tellRules();
    this.offerRoll(position);
    void this.opponents.consider(position);
  }

  /** What the cells of the board are for. */
  private input(position: Position): Input {
    const { setup, result } = this.session;
    if (this.mode !== "play") return "moves";
    if (result || position.chance) return "none";
    if (this.room && !(this.session.isAtEnd && areAllSeatsTaken(this.room.room.latest!))) return "none";
    if (occupantOf(setup, position.mover) === PERSON) return "moves";
    const canPlan = this.session.isAtEnd && onlyPerson(position, setup) !== null;
    return canPlan && !position.outcome ? "premoves" : "none";
  }

  private offerRoll(position: Position): void {
    const { setup, isAtEnd } = this.session;
    const isPerson = occupantOf(setup, position.mover) === PERSON;
    const waits = position.chance && isPerson && isAtEnd && preferences().rolls === "click";
    const roll = button("Roll", () => void this.opponents.roll(position), { class: "choice" });
    fill(this.rolling, waits && this.mode === "play" && roll);
  }

  /** Lets a person repeat what a computer has failed at. */
  private offerAgain(): void {
    const again = button("Let the computer try again", () => this.again(), { class: "choice" });
    fill(this.rolling, again);
  }

  private think(isThinking: boolean): void {
    this.element.classList.toggle("thinking", isThinking);
  }

  private time(position: Position): void {
    const { mover, chance, ply } = position;
    const isOver = winnerOf(position, this.session.result) !== undefined;
    const told = this.room?.room.latest?.clock;
    if (told) return this.clock.follow(told.left, isOver ? null : told.running);
    if (this.mode !== "play" || isOver) return this.clock.stop();
    if (!chance && ply > 0 && this.session.isAtEnd) this.clock.start(mover);
  }

  // what is done

  /** Begins a game with these players; the only person has own pieces below. */
  private begin(setup: Setup): void {
    const position = this.session.position!;
    const only = onlyPerson(position, setup);
    const flipped = only !== null && isAbove(position, only);
    this.restart(() => this.session.restart({ ...setup, flipped }));
  }

  /** Opens a room for this game, with a seat for its creator. */
  private async invite(seat: string): Promise<void> {
    const { record, setup } = this.session;
    location.hash = `room/${await openRoom(record, setup.clock ?? "", seat)}`;
  }

  private async hint(): Promise<void> {
    const { shownRecord: shown, position } = this.session;
    const { move } = await asked({ ...shown, player: HINT });
    if (this.session.position !== position || move === null) return;
    this.playing.board.hint(position?.legal.find(({ text }) => text === move)?.steps ?? []);
    this.offers.tell(`A good move here: ${move}`);
  }

  /** The value of the shown position for its mover, from -1 to 1. */
  private async worth(): Promise<number> {
    return (await asked({ ...this.session.shownRecord, player: HINT })).value?.bar ?? 0;
  }

  /** Says why a move is illegal, or plays what it means. */
  private async why(move: string): Promise<void> {
    const answer = await request<{ legal: boolean; move: string | null; text: string }>("why", {
      ...this.session.shownRecord,
      move,
    });
    const isMeant = answer.legal && answer.move !== null && this.playing.takeTyped();
    if (isMeant) return this.session.play(answer.move!);
    this.playing.refuse(answer.text);
    return undefined;
  }

  private restart(work: () => Promise<void>): void {
    this.clock.reset();
    this.opponents.awake = this.mode === "play";
    runAsync(work);
  }

  /** Shows the same position to who plays or looks otherwise now. */
  private again(): void {
    if (this.session.position) this.show(this.session.position);
  }

  /** The rules in English, where they are open and others than those told last. */
  private tellRules(): void {
    const { spec, parameters, with: transforms } = this.session.record;
    const rules = { spec, parameters, with: transforms };
    const key = JSON.stringify(rules);
    if (!this.about.open || this.toldRules === key) return;
    this.toldRules = key;
    runAsync(async () => fill(this.rules, rulesText(await request<Rules>("rules", rules))));
  }

  /** The milliseconds that players have left, for a reload. */
  get timeLeft(): Record<string, number> {
    return this.clock.remaining;
  }

  /** Continues clocks where a reload has interrupted them. */
  restoreTime(left: Record<string, number>): void {
    this.clock.set(this.session.setup.clock ?? "");
    this.clock.restore(left);
  }

  pressed(event: KeyboardEvent): void {
    this.playing.pressed(event);
  }
}

function roomActs({ room }: RoomSession): GameActs {
  const send = (sent: Promise<unknown>) => runAsync(async () => void (await sent));
  return {
    undo: () => send(room.offer("undo")),
    offerDraw: () => send(room.offer("draw")),
    resign: () => send(room.resign()),
  };
}

/** The answer of a player of the server. */
function asked(question: object, signal?: AbortSignal): Promise<Pick<SearchResult, "move" | "value">> {
  const seed = Math.floor(Math.random() * 2 ** 31);
  return request("play", { ...question, seed }, signal);
}

const chosen: Choose = async (record, player, signal) =>
  (await asked({ ...record, player }, signal)).move;

/** Tells a reader who opened a link with a problem. */
export function tellProblem({ problem }: Position): void {
  if (problem) notify(`The game stops at move ${problem.ply}: ${problem.message}`);
}
