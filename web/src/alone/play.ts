// A game that is played on a page of its own.

import { button, el, fill } from "../dom";
import { copy, download } from "../files";
import { GameBar } from "../gamebar";
import { isAborted } from "../faults";
import { tryTo } from "../notices";
import { Offers } from "../offers";
import { Opponents } from "../opponents";
import { Playing } from "../playing";
import { preferences } from "../preferences";
import type { Position, Settlement } from "../protocol";
import { FULL, PERSON, seated } from "../names";
import { Seats } from "../seats";
import type { Session } from "../session";
import { settingsFields } from "../settings";
import type { Engine } from "./engine";

const SEEDS = 2 ** 31;

export class Play {
  readonly element = el("div", { class: "workspace", "data-mode": "play" });
  private readonly playing: Playing;
  private readonly seats: Seats;
  private readonly opponents: Opponents;
  private readonly bar: GameBar;
  private readonly offers: Offers;
  private readonly rolling = el("div", { class: "choices" });
  private hinting: AbortController | null = null;

  /** `rules` is an element that tells them. */
  constructor(
    private readonly session: Session,
    private readonly engine: Engine,
    rules: HTMLElement,
  ) {
    this.playing = new Playing(session, (move) =>
      this.playing.refuse(`${move} is no legal move here`),
    );
    this.seats = new Seats(session);
    this.opponents = new Opponents(
      session,
      ({ moves }, player, signal) => engine.choose(moves, player, seed(), signal),
      (isThinking) => this.element.classList.toggle("thinking", isThinking),
    );
    this.bar = new GameBar(session, {
      undo: (to) => tryTo(() => session.go(to)),
      hint: () => tryTo(() => this.hint()),
      offerDraw: (player) =>
        tryTo(() => this.offers.draw(session.position!, session.setup, player)),
      canAnswer: ({ players }) =>
        players.filter((one) => seated(session.setup, one) === PERSON).length > 1,
      resign: (player) => session.settle({ kind: "resigned", player }),
    });
    // Only persons are offered a draw: there are no values here.
    this.offers = new Offers(
      () => Promise.resolve(0),
      () => session.settle({ kind: "agreed" }),
    );
    const begin = () => tryTo(() => session.restart());
    const below = [this.rolling, this.bar.element, this.offers.element];
    this.element.append(this.playing.middle(begin, [], below), this.side(rules));
    session.listen((position) => this.show(position));
  }

  private side(rules: HTMLElement): HTMLElement {
    return el(
      "aside",
      { class: "side", "aria-label": "Game" },
      this.seats.element,
      el("h2", {}, "Moves"),
      this.playing.moves.element,
      el(
        "div",
        { class: "row record" },
        button("Copy record", () => tryTo(async () => copy(await this.record(), "The record"))),
        button("Download record", () => tryTo(async () => download("game.rec", await this.record()))),
      ),
      el(
        "details",
        { class: "setup" },
        el("summary", {}, "Settings"),
        el(
          "div",
          { class: "fields" },
          ...settingsFields(() => this.again()),
          this.playing.tableField(),
        ),
      ),
      el("details", { class: "about" }, el("summary", {}, "Rules"), rules),
    );
  }

  private show(position: Position): void {
    const { setup, result, isAtEnd } = this.session;
    const isPerson = seated(setup, position.mover) === PERSON;
    this.hinting?.abort();
    this.playing.show(position, isPerson && !position.chance && !result ? "moves" : "none");
    this.seats.show(position, () => "");
    this.bar.show(position, true);
    this.offers.close();
    const waits = position.chance && isPerson && isAtEnd && preferences().rolls === "click";
    const roll = button("Roll", () => void this.opponents.roll(position), { class: "choice" });
    fill(this.rolling, waits && roll);
    void this.opponents.consider(position);
  }

  /** Shows the same position to who plays or looks otherwise now. */
  private again(): void {
    if (this.session.position) this.show(this.session.position);
  }

  private async hint(): Promise<void> {
    this.hinting?.abort();
    const { shown, position } = this.session;
    const { signal } = (this.hinting = new AbortController());
    try {
      const move = await this.engine.choose(shown.moves, FULL, seed(), signal);
      if (signal.aborted || move === null) return;
      this.playing.board.hint(position?.legal.find(({ text }) => text === move)?.steps ?? []);
      this.offers.tell(`A good move here: ${move}`);
    } catch (error) {
      if (!isAborted(error)) throw error;
    }
  }

  private async record(): Promise<string> {
    const sitting = (this.session.position?.players ?? []).map((player) => {
      const who = seated(this.session.setup, player);
      return [player, who === PERSON ? "human" : who];
    });
    const { record, settled } = this.session;
    const text = await this.engine.record(record.moves, Object.fromEntries(sitting));
    return text + (settled ? settlement(settled) : "");
  }

  pressed(event: KeyboardEvent): void {
    this.playing.pressed(event);
  }
}

/** The line of a record for a result that is not by the rules. */
function settlement({ kind, player }: Settlement): string {
  return kind === "agreed" ? "stated: draw, agreement\n" : `forfeit: ${player}, resigned\n`;
}

function seed(): number {
  return Math.floor(Math.random() * SEEDS);
}
