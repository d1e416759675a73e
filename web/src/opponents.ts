// Lets players move who are no people when it is their turn, and throws the dice.

import { isAbortError } from "./errors";
import { PERSON, occupantOf } from "./names";
import { reportError } from "./notices";
import { preferences } from "./preferences";
import type { GameRecord, LegalMove, Position } from "./protocol";
import type { Session } from "./session";

const THROW = 350; // milliseconds to see that there is a throw
const LEAST = 250; // milliseconds, so that a move can be followed

/** The move of a player who is no person, behind a record's moves. */
export type Choose = (
  record: GameRecord,
  player: string,
  signal: AbortSignal,
) => Promise<string | null>;

export class Opponents {
  /** Whether they may move at all. */
  awake = true;
  private thinking: AbortController | null = null;

  constructor(
    private readonly session: Session,
    private readonly choose: Choose,
    private readonly told: (isThinking: boolean) => void,
    private readonly failed: () => void = () => undefined,
  ) {}

  /** Moves if the shown position is the last one and no person is to move. */
  async consider(position: Position): Promise<void> {
    this.rest();
    const { setup, settled, isAtEnd } = this.session;
    const isOver = position.outcome ?? settled ?? position.problem;
    const who = occupantOf(setup, position.mover);
    const waits = who === PERSON && (!position.chance || preferences().rolls === "click");
    if (!this.awake || !isAtEnd || isOver || waits) return;
    await this.act(position, who);
  }

  /** Draws the chance event of a position that waits for a click. */
  async roll(position: Position): Promise<void> {
    this.rest();
    if (position.chance) await this.act(position, PERSON);
  }

  private async act(position: Position, who: string): Promise<void> {
    const control = new AbortController();
    this.thinking = control;
    this.told(true);
    try {
      await this.move(position, who, control.signal);
    } catch (error) {
      reportError(error);
      if (!isAbortError(error)) this.failed();
    } finally {
      if (this.thinking === control) this.rest();
    }
  }

  /** Stops whatever is thought about. */
  rest(): void {
    this.thinking?.abort();
    this.thinking = null;
    this.told(false);
  }

  private async move(position: Position, who: string, signal: AbortSignal): Promise<void> {
    const pause = new Promise((done) => setTimeout(done, position.chance ? THROW : LEAST));
    const move = position.chance
      ? thrown(position.legal)
      : await this.choose(this.session.shownRecord, who, signal);
    await pause;
    if (!signal.aborted && move !== null) await this.session.play(move);
  }
}

/** One of the throws, each as likely as its weight says. */
function thrown(legal: LegalMove[]): string | null {
  const whole = legal.reduce((sum, { weight }) => sum + weight, 0);
  let drawn = Math.random() * whole;
  for (const { text, weight } of legal) {
    drawn -= weight;
    if (drawn < 0) return text;
  }
  return legal.at(-1)?.text ?? null;
}
