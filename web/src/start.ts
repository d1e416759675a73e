// What a game begins with: the opponent, its level, the side of the person, and the clock.

import { IS_STATIC } from "./backend";
import { PACES } from "./clock";
import { button, selectBox, el, field, fill } from "./dom";
import { FULL, hasBegun, PERSON } from "./names";
import { prefer, preferences } from "./preferences";
import type { Position, Setup } from "./protocol";
import { LEVELS } from "./seats";
import type { Session } from "./session";

const EITHER = "either";
const STRONGEST = "full";

export class Start {
  readonly element = el("section", { class: "start", "aria-label": "Begin a game" });
  private players = "";
  private side: HTMLSelectElement | null = null;
  private readonly level = selectBox(
    [
      ...Array.from({ length: LEVELS }, (_, at) => [String(at + 1), `level ${at + 1}`] as const),
      [STRONGEST, "full strength"] as const,
    ],
    preferences().level,
    (level) => prefer({ level }),
  );

  /** `begin` starts a game by a setup, `invite` one with a friend from a seat. */
  constructor(
    private readonly session: Session,
    private readonly begin: (setup: Setup) => void,
    private readonly invite: (seat: string) => void,
  ) {}

  /** Shows itself before the first move, until the players are chosen. */
  show(position: Position, isWanted: boolean): void {
    const { setup, settled } = this.session;
    const isChosen = setup.players !== undefined || settled !== null;
    const isFirst = !hasBegun(position) && this.session.isAtEnd;
    this.element.hidden = !isWanted || !isFirst || isChosen || position.players.length < 2;
    const key = JSON.stringify(position.players);
    if (key === this.players) return;
    this.players = key;
    this.fill(position);
  }

  private fill({ players }: Position): void {
    const { setup } = this.session;
    this.side = selectBox(
      [...players.map((player) => [player, player] as const), [EITHER, "either side"]],
      players[0]!,
      () => undefined,
    );
    const clock = selectBox(PACES, setup.clock ?? "", (pace) =>
      this.session.changeSetup({ ...this.session.setup, clock: pace }),
    );
    fill(
      this.element,
      el(
        "div",
        { class: "row" },
        button("Play against the computer", () => this.computer(players), { class: "main" }),
        field("at", this.level),
        field("as", this.side),
      ),
      el(
        "div",
        { class: "row" },
        field("Clock", clock),
        button("Two people here", () => this.persons(players)),
        !IS_STATIC && button("Play a friend", () => this.invite(this.chosenSide(players))),
      ),
    );
  }

  private computer(players: string[]): void {
    const person = this.chosenSide(players);
    const level = this.level.value;
    const who = level === STRONGEST ? FULL : `search:level=${level}`;
    this.seat(players.map((player) => [player, player === person ? PERSON : who]));
  }

  private chosenSide(players: string[]): string {
    const wanted = this.side!.value;
    return wanted === EITHER ? players[Math.floor(Math.random() * players.length)]! : wanted;
  }

  private persons(players: string[]): void {
    this.seat(players.map((player) => [player, PERSON]));
  }

  private seat(players: [player: string, who: string][]): void {
    this.begin({ ...this.session.setup, players: Object.fromEntries(players) });
  }
}

/** True if the pieces of a side are in the upper half of the board only. */
export function isAbove({ drawing, sides }: Position, player: string): boolean {
  const [, top, , height] = drawing.box;
  const own = drawing.cells.filter(({ piece }) => piece.startsWith(`${sides[player] ?? player} `));
  return own.length > 0 && own.every(({ at: [, y] }) => y < top + height / 2);
}
