// The form to start a game: opponent, level, side and clock.

import { IS_STATIC } from "./backend";
import { TIME_CONTROLS } from "./clock";
import { button, el, field, fill, selectBox } from "./dom";
import { FULL, hasBegun, PERSON } from "./names";
import { preferences, setPreferences } from "./preferences";
import type { Position, Setup } from "./protocol";
import { LEVELS } from "./seats";
import type { Session } from "./session";

const ANY_SIDE = "either";
const FULL_STRENGTH = "full";

export class StartForm {
  readonly element = el("section", { class: "start", "aria-label": "Start a game" });
  private players = "";
  private side: HTMLSelectElement | null = null;
  private readonly level = selectBox(
    [
      ...Array.from({ length: LEVELS }, (_, at) => [String(at + 1), `level ${at + 1}`] as const),
      [FULL_STRENGTH, "full strength"] as const,
    ],
    preferences().level,
    (level) => setPreferences({ level }),
  );

  /** `onStart` starts a game with a setup; `onInvite` opens a room with a seat for its creator. */
  constructor(
    private readonly session: Session,
    private readonly onStart: (setup: Setup) => void,
    private readonly onInvite: (seat: string) => void,
  ) {}

  /** Show the form before the first move, until the players are chosen. */
  show(position: Position, isWanted: boolean): void {
    const { setup, settled } = this.session;
    const isChosen = !position.hides && (setup.players !== undefined || settled !== null);
    const isFirst = !hasBegun(position) && this.session.isAtEnd;
    const isAlone = position.players.length < 2 && !position.hides;
    this.element.hidden = !isWanted || !isFirst || isChosen || isAlone;
    const key = JSON.stringify(position.players);
    if (key === this.players) return;
    this.players = key;
    this.render(position);
  }

  private render({ players }: Position): void {
    const { setup } = this.session;
    this.side = selectBox(
      [...players.map((player) => [player, player] as const), [ANY_SIDE, "either side"]],
      players[0]!,
      () => undefined,
    );
    const clock = selectBox(TIME_CONTROLS, setup.clock ?? "", (clock) =>
      this.session.changeSetup({ ...this.session.setup, clock }),
    );
    fill(
      this.element,
      el(
        "div",
        { class: "row" },
        button("Play against the computer", () => this.startAgainstComputer(players), { class: "main" }),
        field("at", this.level),
        field("as", this.side),
      ),
      el(
        "div",
        { class: "row" },
        field("Clock", clock),
        button("Two people here", () => this.startForTwo(players)),
        !IS_STATIC && button("Play a friend", () => this.onInvite(this.chosenSide(players))),
      ),
    );
  }

  private startAgainstComputer(players: string[]): void {
    const person = this.chosenSide(players);
    const level = this.level.value;
    const occupant = level === FULL_STRENGTH ? FULL : `search:level=${level}`;
    this.startWith(players.map((player) => [player, player === person ? PERSON : occupant]));
  }

  private chosenSide(players: string[]): string {
    const side = this.side!.value;
    return side === ANY_SIDE ? players[Math.floor(Math.random() * players.length)]! : side;
  }

  private startForTwo(players: string[]): void {
    this.startWith(players.map((player) => [player, PERSON]));
  }

  private startWith(players: [player: string, occupant: string][]): void {
    this.onStart({ ...this.session.setup, players: Object.fromEntries(players) });
  }
}

/** True if all pieces of a side are in the upper half of the board. */
export function isSideOnTop({ drawing, sides }: Position, player: string): boolean {
  const [, top, , height] = drawing.box;
  const own = drawing.cells.filter(({ piece }) => piece.startsWith(`${sides[player] ?? player} `));
  return own.length > 0 && own.every(({ at: [, y] }) => y < top + height / 2);
}
