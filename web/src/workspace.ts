// The workspace of a game: the board, with the views to play, edit and analyse.

import { Analysis } from "./analysis";
import { request } from "./api";
import type { InputMode } from "./board";
import { Clock } from "./clock";
import { Curtain } from "./curtain";
import { button, el, field, fill } from "./dom";
import { GameBar } from "./gamebar";
import type { GameActions } from "./gamebar";
import { occupantOf, onlyPerson, PERSON, winnerOf } from "./names";
import { notify, runAsync } from "./notices";
import { Offers } from "./offers";
import { Opponents } from "./opponents";
import type { ChooseMove } from "./opponents";
import { PlayView } from "./playview";
import { preferences } from "./preferences";
import type { Observation, Position, Rules, SearchResult, Setup } from "./protocol";
import { RecordBox } from "./recordbox";
import { areAllSeatsTaken, openRoom, RoomSession } from "./room";
import type { RoomSeats } from "./room";
import { RoomBar } from "./roombar";
import { Seats } from "./seats";
import type { Session } from "./session";
import { settingsFields } from "./settings";
import { SpecView } from "./specview";
import { isSideOnTop, StartForm } from "./start";
import { Study } from "./study";
import { VariantForm, variantText } from "./variants";
import { ViewNote } from "./viewnote";
import { rulesText } from "./views";

export type Mode = "play" | "edit" | "analyse";
export const MODES: readonly Mode[] = ["play", "edit", "analyse"];

const HINT = "search:seconds=1"; // the player that gives hints

export class Workspace {
  readonly element = el("div", { class: "workspace" });
  private mode: Mode = "play";
  private readonly view: PlayView;
  private readonly seats: Seats;
  private readonly clock: Clock;
  private readonly opponents: Opponents;
  private readonly start: StartForm;
  private readonly bar: GameBar;
  private readonly offers: Offers;
  private readonly analysis: Analysis;
  private readonly study: Study;
  private readonly specView: SpecView;
  private readonly record: RecordBox;
  private readonly form: VariantForm;
  private readonly variant = el("p", { class: "variant" });
  private readonly valueCheckbox = el("input", { type: "checkbox" });
  private readonly rollChoice = el("div", { class: "choices" });
  private readonly room: RoomSession | null;
  private readonly roomBar: RoomBar | null;
  private readonly curtain: Curtain | null;
  private readonly viewNote = new ViewNote();
  private readonly rules = el("div");
  private readonly rulesDetails = el(
    "details",
    { class: "about", toggle: () => this.showRules() },
    el("summary", {}, "Rules in English"),
    this.rules,
  );
  private shownRulesKey = "";

  constructor(private readonly session: Session) {
    this.view = new PlayView(session, (move) => runAsync(() => this.explainIllegal(move)));
    this.room = session instanceof RoomSession ? session : null;
    this.seats = new Seats(session, this.room !== null);
    this.clock = new Clock(
      () => this.seats.showTimes((player) => this.clock.text(player)),
      (player) => this.room ?? session.settle({ kind: "time", player }),
    );
    this.opponents = new Opponents(
      session,
      chooseMove,
      (isThinking) => this.setThinking(isThinking),
      () => this.offerRetry(),
    );
    this.start = new StartForm(
      session,
      (setup) => this.startGame(setup),
      (seat) => runAsync(() => this.invite(seat)),
    );
    this.bar = new GameBar(session, this.room ? roomActions(this.room) : this.localActions());
    this.roomBar = this.room && new RoomBar(this.room);
    this.curtain = this.room && new Curtain(this.room);
    if (this.room) {
      this.element.dataset.room = "";
      this.opponents.isEnabled = false;
    }
    this.offers = new Offers(
      () => this.evaluate(),
      () => session.settle({ kind: "agreed" }),
    );
    this.analysis = new Analysis(session, this.view.board, this.view.moves);
    this.study = new Study(session);
    this.specView = new SpecView(session, this.view.board);
    this.form = new VariantForm(session, (variant) => this.restart(() => session.startVariant(variant)));
    this.record = new RecordBox(session, () => this.mode);
    this.element.append(this.specView.element, this.middle(), this.sidePanel());
    session.listen((position) => this.show(position));
  }

  /** Switch to a mode. */
  async enter(mode: Mode): Promise<void> {
    this.mode = mode;
    this.element.dataset.mode = mode;
    this.opponents.isEnabled = mode === "play" && !this.room;
    this.analysis.visibleParts = mode === "analyse" ? "all" : this.analysisParts();
    if (mode !== "play") this.clock.stop();
    this.rerender();
    if (mode === "edit") await this.specView.show();
    else this.specView.close();
  }

  /** Stop the clocks, searches and connections. */
  close(): void {
    this.opponents.isEnabled = false;
    this.opponents.stop();
    this.analysis.stop();
    this.study.stop();
    this.clock.stop();
    this.record.close();
    this.room?.room.leave();
  }

  private localActions(): GameActions {
    const { session } = this;
    return {
      undo: (to) => runAsync(() => session.goTo(to)),
      hint: () => runAsync(() => this.hint()),
      offerDraw: (player) =>
        runAsync(() => this.offers.offerDraw(session.position!, session.setup, player)),
      resign: (player) => session.settle({ kind: "resigned", player }),
    };
  }

  private middle(): HTMLElement {
    const room = [this.roomBar?.element, this.viewNote.note, this.curtain?.element];
    const above = [this.variant, this.start.element, ...room, this.analysis.value];
    const below = [this.rollChoice, this.bar.element, this.offers.element, this.analysis.line];
    return this.view.boardPanel(() => this.restart(() => this.session.restart({})), above, below);
  }

  /** Return the parts of the analysis that are shown during play. */
  private analysisParts(): "bar" | "nothing" {
    const isSeen = !this.session.position?.hides;
    return this.valueCheckbox.checked && this.mode === "play" && isSeen ? "bar" : "nothing";
  }

  private sidePanel(): HTMLElement {
    this.valueCheckbox.addEventListener("change", () => runAsync(() => this.enter(this.mode)));
    return el(
      "aside",
      { class: "side", "aria-label": "Game" },
      this.seats.element,
      this.viewNote.registers,
      this.analysis.element,
      this.study.element,
      el("h2", {}, "Moves"),
      this.view.moves.element,
      this.record.element,
      this.form.element,
      el(
        "details",
        { class: "setup" },
        el("summary", {}, "Settings"),
        el(
          "div",
          { class: "fields" },
          ...settingsFields(() => this.rerender()),
          field("Value and best line while playing", this.valueCheckbox),
          this.view.tableField(),
        ),
      ),
      this.rulesDetails,
    );
  }

  // rendering

  private show(position: Position): void {
    if (!this.room) this.clock.set(this.session.setup.clock ?? "");
    this.roomBar?.show(position);
    this.curtain?.show(position);
    this.viewNote.show(position, this.room !== null);
    this.element.classList.toggle("covered", this.room?.isCovered ?? false);
    this.element.classList.toggle("hides", this.room?.hides ?? false);
    this.valueCheckbox.disabled = Boolean(position.hides);
    this.variant.textContent = variantText(position, this.session.record);
    document.title = `${position.title} – rulesengine`;
    this.view.show(position, this.inputMode(position));
    this.start.show(position, this.mode === "play");
    this.seats.show(position, (player) => this.clock.text(player));
    this.bar.show(position, this.mode === "play");
    this.offers.close();
    this.form.show(position);
    this.analysis.show(position);
    this.runClock(position);
    this.showRules();
    this.offerRoll(position);
    void this.opponents.moveIfNeeded(position);
  }

  /** Return the input mode of the board. */
  private inputMode(position: Position): InputMode {
    const { setup, result } = this.session;
    if (this.mode !== "play") return "moves";
    if (result || position.chance) return "none";
    if (position.hides && position.viewer !== position.mover) return "none";
    if (this.room && !(this.session.isAtEnd && areAllSeatsTaken(this.room.room.latest!))) return "none";
    if (occupantOf(setup, position.mover) === PERSON) return "moves";
    const canPlan = this.session.isAtEnd && onlyPerson(position, setup) !== null;
    return canPlan && !position.outcome ? "premoves" : "none";
  }

  private offerRoll(position: Position): void {
    const { setup, isAtEnd } = this.session;
    const isPerson = occupantOf(setup, position.mover) === PERSON;
    const isRollPending = position.chance && !position.hides && isPerson && isAtEnd && preferences().rolls === "click";
    const roll = button("Roll", () => void this.opponents.roll(position), { class: "choice" });
    fill(this.rollChoice, isRollPending && this.mode === "play" && roll);
  }

  /** Show a button that repeats a failed move of the computer. */
  private offerRetry(): void {
    const retry = button("Let the computer try again", () => this.rerender(), { class: "choice" });
    fill(this.rollChoice, retry);
  }

  private setThinking(isThinking: boolean): void {
    this.element.classList.toggle("thinking", isThinking);
  }

  private runClock(position: Position): void {
    const { mover, chance, ply } = position;
    const isOver = winnerOf(position, this.session.result) !== undefined;
    const roomClock = this.room?.room.latest?.clock;
    if (roomClock) return this.clock.follow(roomClock.left, isOver ? null : roomClock.running);
    if (this.mode !== "play" || isOver) return this.clock.stop();
    if (!chance && ply > 0 && this.session.isAtEnd) this.clock.start(mover);
  }

  // actions

  /** Start a game with the given players; pieces of the only person are at the bottom of the board. */
  private startGame(setup: Setup): void {
    const position = this.session.position!;
    if (position.hides) return runAsync(() => this.startRoom(setup));
    const only = onlyPerson(position, setup);
    const flipped = only !== null && isSideOnTop(position, only);
    this.restart(() => this.session.restart({ ...setup, flipped }));
  }

  /** Open a room for this game, with a seat for its creator. */
  private async invite(seat: string): Promise<void> {
    await this.enterRoom({ seat });
  }

  /** Play a game that hides something in a room: the server keeps the moves. */
  private async startRoom({ players = {} }: Setup): Promise<void> {
    const seats = Object.entries(players);
    const [seat = "", ...others] = seats.filter(([, occupant]) => occupant === PERSON).map(([player]) => player);
    const computers = Object.fromEntries(seats.filter(([, occupant]) => occupant !== PERSON));
    await this.enterRoom({ seat, computers, shared: others.length > 0 });
  }

  private async enterRoom(seats: RoomSeats): Promise<void> {
    const { record, setup } = this.session;
    location.hash = `room/${await openRoom(record, setup.clock ?? "", seats)}`;
  }

  private async hint(): Promise<void> {
    const { shownRecord, position } = this.session;
    const { move } = await requestMove({ ...shownRecord, player: HINT });
    if (this.session.position !== position || move === null) return;
    this.view.board.hint(position?.legal.find(({ text }) => text === move)?.steps ?? []);
    this.offers.showMessage(`A good move here: ${move}`);
  }

  /** Return the value of the shown position for the player to move, from -1 to 1. */
  private async evaluate(): Promise<number> {
    return (await requestMove({ ...this.session.shownRecord, player: HINT })).value?.bar ?? 0;
  }

  /** Show the reason why a move is illegal, or play the legal move that a typed text denotes. */
  private async explainIllegal(move: string): Promise<void> {
    if (this.room?.hides) return this.view.showReason(`${move} is not one of your legal moves now.`);
    const response = await request<{ legal: boolean; move: string | null; text: string }>("why", {
      ...this.session.shownRecord,
      move,
    });
    const isPlayable = response.legal && response.move !== null && this.view.clearTyped();
    if (isPlayable) return this.session.play(response.move!);
    this.view.showReason(response.text);
    return undefined;
  }

  private restart(task: () => Promise<void>): void {
    this.clock.reset();
    this.opponents.isEnabled = this.mode === "play";
    runAsync(task);
  }

  /** Render the position again after a change of mode, settings or players. */
  private rerender(): void {
    if (this.session.position) this.show(this.session.position);
  }

  /** Show the rules in English, if the panel is open and the rules have changed. */
  private showRules(): void {
    const { spec, parameters, with: transforms } = this.session.record;
    const rules = { spec, parameters, with: transforms };
    const key = JSON.stringify(rules);
    if (!this.rulesDetails.open || this.shownRulesKey === key) return;
    this.shownRulesKey = key;
    runAsync(async () => fill(this.rules, rulesText(await request<Rules>("rules", rules))));
  }

  /** The remaining milliseconds by player, to be restored after a reload. */
  get timeLeft(): Record<string, number> {
    return this.clock.remaining;
  }

  /** Restore the clocks after a reload. */
  restoreTime(left: Record<string, number>): void {
    this.clock.set(this.session.setup.clock ?? "");
    this.clock.restore(left);
  }

  onKeydown(event: KeyboardEvent): void {
    this.view.onKeydown(event);
  }
}

function roomActions({ room }: RoomSession): GameActions {
  const send = (response: Promise<unknown>) => runAsync(async () => void (await response));
  return {
    undo: () => send(room.offer("undo")),
    canAnswer: () => hasOtherPerson(room.latest!),
    offerDraw: () => send(room.offer("draw")),
    resign: () => send(room.resign()),
  };
}

/** True if another person can answer an offer. */
function hasOtherPerson({ players, own, computers }: Observation): boolean {
  return players.some((player) => !own.includes(player) && !(player in computers));
}

/** Request the move of a computer player. */
function requestMove(body: object, signal?: AbortSignal): Promise<Pick<SearchResult, "move" | "value">> {
  const seed = Math.floor(Math.random() * 2 ** 31);
  return request("play", { ...body, seed }, signal);
}

const chooseMove: ChooseMove = async (record, player, signal) =>
  (await requestMove({ ...record, player }, signal)).move;

/** Show the reason why the moves of a link end early. */
export function showProblem({ problem }: Position): void {
  if (problem) notify(`The game stops at move ${problem.ply}: ${problem.message}`);
}
