// The page of an exported file: a game without a server.

import { button, el, fill } from "../dom";
import { isAbortError } from "../errors";
import { copy, download } from "../files";
import { GameBar } from "../gamebar";
import { FULL, occupantOf, PERSON } from "../names";
import { runAsync } from "../notices";
import { Offers } from "../offers";
import { Opponents } from "../opponents";
import { PlayView } from "../playview";
import { preferences } from "../preferences";
import type { Position, Settlement } from "../protocol";
import { Seats } from "../seats";
import type { Session } from "../session";
import { settingsFields } from "../settings";
import type { Engine } from "./engine";

const SEEDS = 2 ** 31;

export class Page {
  readonly element = el("div", { class: "workspace", "data-mode": "play" });
  private readonly view: PlayView;
  private readonly seats: Seats;
  private readonly opponents: Opponents;
  private readonly bar: GameBar;
  private readonly offers: Offers;
  private readonly rollChoice = el("div", { class: "choices" });
  private hintSearch: AbortController | null = null;

  /** `rules` is an element with the rules in English. */
  constructor(
    private readonly session: Session,
    private readonly engine: Engine,
    rules: HTMLElement,
  ) {
    this.view = new PlayView(session, (move) => this.view.showReason(`${move} is not a legal move here`));
    this.seats = new Seats(session);
    this.opponents = new Opponents(
      session,
      ({ moves }, player, signal) => engine.chooseMove(moves, player, randomSeed(), signal),
      (isThinking) => this.element.classList.toggle("thinking", isThinking),
    );
    this.bar = new GameBar(session, {
      undo: (to) => runAsync(() => session.goTo(to)),
      hint: () => runAsync(() => this.hint()),
      offerDraw: (player) =>
        runAsync(() => this.offers.offerDraw(session.position!, session.setup, player)),
      canAnswer: ({ players }) =>
        players.filter((one) => occupantOf(session.setup, one) === PERSON).length > 1,
      resign: (player) => session.settle({ kind: "resigned", player }),
    });
    // Only persons are offered a draw, since the engine returns no values.
    this.offers = new Offers(
      () => Promise.resolve(0),
      () => session.settle({ kind: "agreed" }),
    );
    const restart = () => runAsync(() => session.restart());
    const below = [this.rollChoice, this.bar.element, this.offers.element];
    this.element.append(this.view.boardPanel(restart, [], below), this.sidePanel(rules));
    session.listen((position) => this.show(position));
  }

  private sidePanel(rules: HTMLElement): HTMLElement {
    return el(
      "aside",
      { class: "side", "aria-label": "Game" },
      this.seats.element,
      el("h2", {}, "Moves"),
      this.view.moves.element,
      el(
        "div",
        { class: "row record" },
        button("Copy record", () => runAsync(async () => copy(await this.record(), "The record"))),
        button("Download record", () => runAsync(async () => download("game.rec", await this.record()))),
      ),
      el(
        "details",
        { class: "setup" },
        el("summary", {}, "Settings"),
        el(
          "div",
          { class: "fields" },
          ...settingsFields(() => this.rerender()),
          this.view.tableField(),
        ),
      ),
      el("details", { class: "about" }, el("summary", {}, "Rules"), rules),
    );
  }

  private show(position: Position): void {
    const { setup, result, isAtEnd } = this.session;
    const isPerson = occupantOf(setup, position.mover) === PERSON;
    this.hintSearch?.abort();
    this.view.show(position, isPerson && !position.chance && !result ? "moves" : "none");
    this.seats.show(position, () => "");
    this.bar.show(position, true);
    this.offers.close();
    const isRollPending = position.chance && isPerson && isAtEnd && preferences().rolls === "click";
    const roll = button("Roll", () => void this.opponents.roll(position), { class: "choice" });
    fill(this.rollChoice, isRollPending && roll);
    void this.opponents.moveIfNeeded(position);
  }

  /** Show the position again after a change of the players or of the settings. */
  private rerender(): void {
    if (this.session.position) this.show(this.session.position);
  }

  private async hint(): Promise<void> {
    this.hintSearch?.abort();
    const { shownRecord: shown, position } = this.session;
    const { signal } = (this.hintSearch = new AbortController());
    try {
      const move = await this.engine.chooseMove(shown.moves, FULL, randomSeed(), signal);
      if (signal.aborted || move === null) return;
      this.view.board.hint(position?.legal.find(({ text }) => text === move)?.steps ?? []);
      this.offers.showMessage(`A good move here: ${move}`);
    } catch (error) {
      if (!isAbortError(error)) throw error;
    }
  }

  private async record(): Promise<string> {
    const players = (this.session.position?.players ?? []).map((player) => {
      const occupant = occupantOf(this.session.setup, player);
      return [player, occupant === PERSON ? "human" : occupant];
    });
    const { record, settled } = this.session;
    const text = await this.engine.record(record.moves, Object.fromEntries(players));
    return text + (settled ? resultLine(settled) : "");
  }

  onKeydown(event: KeyboardEvent): void {
    this.view.onKeydown(event);
  }
}

/** Return the line of a record for a result that does not follow from the rules. */
function resultLine({ kind, player }: Settlement): string {
  return kind === "agreed" ? "stated: draw, agreement\n" : `forfeit: ${player}, resigned\n`;
}

function randomSeed(): number {
  return Math.floor(Math.random() * SEEDS);
}
