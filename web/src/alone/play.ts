// A game that is played on a page of its own.

import { button, el } from "../dom";
import { copy, download } from "../files";
import { tryTo } from "../notices";
import { Opponents } from "../opponents";
import { Playing } from "../playing";
import type { Position } from "../protocol";
import { PERSON, seated } from "../names";
import { Seats } from "../seats";
import type { Session } from "../session";
import type { Engine } from "./engine";

const SEEDS = 2 ** 31;

export class Play {
  readonly element = el("div", { class: "workspace", "data-mode": "play" });
  private readonly playing: Playing;
  private readonly seats: Seats;
  private readonly opponents: Opponents;

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
    const begin = () => tryTo(() => session.restart());
    this.element.append(this.playing.middle(begin, [], []), this.side(rules));
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
      this.playing.tableField(),
      el("details", { class: "about" }, el("summary", {}, "Rules"), rules),
    );
  }

  private show(position: Position): void {
    const isPerson = seated(this.session.setup, position.mover) === PERSON;
    this.playing.show(position, isPerson && !position.chance ? "moves" : "none");
    this.seats.show(position, () => "");
    void this.opponents.consider(position);
  }

  private record(): Promise<string> {
    const sitting = (this.session.position?.players ?? []).map((player) => {
      const who = seated(this.session.setup, player);
      return [player, who === PERSON ? "human" : who];
    });
    return this.engine.record(this.session.record.moves, Object.fromEntries(sitting));
  }

  pressed(event: KeyboardEvent): void {
    this.playing.pressed(event);
  }
}

function seed(): number {
  return Math.floor(Math.random() * SEEDS);
}
