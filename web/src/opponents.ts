// Computer players, which move when it is their turn, and chance events.

import { isAbortError } from "./errors";
import { occupantOf, PERSON } from "./names";
import { reportError } from "./notices";
import { preferences } from "./preferences";
import type { GameRecord, LegalMove, Position } from "./protocol";
import type { Session } from "./session";

const ROLL_DELAY = 350; // milliseconds before a chance event
const MIN_MOVE_TIME = 250; // milliseconds from the start of a search to its move

/** A function that returns the move of a computer player after the moves of a record. */
export type ChooseMove = (
  record: GameRecord,
  player: string,
  signal: AbortSignal,
) => Promise<string | null>;

export class Opponents {
  /** True if computer players may move. */
  isEnabled = true;
  private abortController: AbortController | null = null;

  constructor(
    private readonly session: Session,
    private readonly chooseMove: ChooseMove,
    private readonly onThinking: (isThinking: boolean) => void,
    private readonly onFailure: () => void = () => undefined,
  ) {}

  /** Move if the shown position is the last one and no person is to move. */
  async moveIfNeeded(position: Position): Promise<void> {
    this.stop();
    const { setup, settled, isAtEnd } = this.session;
    if (position.hides) return; // the server makes such moves
    const isOver = position.outcome ?? settled ?? position.problem;
    const occupant = occupantOf(setup, position.mover);
    const isWaiting = occupant === PERSON && (!position.chance || preferences().rolls === "click");
    if (!this.isEnabled || !isAtEnd || isOver || isWaiting) return;
    await this.run(position, occupant);
  }

  /** Draw a chance event after a click. */
  async roll(position: Position): Promise<void> {
    this.stop();
    if (position.chance) await this.run(position, PERSON);
  }

  private async run(position: Position, occupant: string): Promise<void> {
    const control = new AbortController();
    this.abortController = control;
    this.onThinking(true);
    try {
      await this.playMove(position, occupant, control.signal);
    } catch (error) {
      reportError(error);
      if (!isAbortError(error)) this.onFailure();
    } finally {
      if (this.abortController === control) this.stop();
    }
  }

  /** Stop the current search. */
  stop(): void {
    this.abortController?.abort();
    this.abortController = null;
    this.onThinking(false);
  }

  private async playMove(position: Position, occupant: string, signal: AbortSignal): Promise<void> {
    const delay = new Promise((resolve) => setTimeout(resolve, position.chance ? ROLL_DELAY : MIN_MOVE_TIME));
    const move = position.chance
      ? drawChance(position.legal)
      : await this.chooseMove(this.session.shownRecord, occupant, signal);
    await delay;
    if (!signal.aborted && move !== null) await this.session.play(move);
  }
}

/** Draw a chance move by the weights; return null without moves. */
function drawChance(legal: LegalMove[]): string | null {
  const total = legal.reduce((sum, { weight }) => sum + weight, 0);
  let rest = Math.random() * total;
  for (const { text, weight } of legal) {
    rest -= weight;
    if (rest < 0) return text;
  }
  return legal.at(-1)?.text ?? null;
}
