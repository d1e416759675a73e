// The actions of a game besides moves: undo, hint, flip, offer of a draw, resignation.

import { button, el } from "./dom";
import { hasBegun, occupantOf, onlyPerson, PERSON, sideOf, winnerOf } from "./names";
import type { Position, Setup } from "./protocol";
import type { Session } from "./session";

const CONFIRM_TIME = 4000; // milliseconds within which a resignation is confirmed

export interface GameActions {
  undo(ply: number): void;
  /** Show a hint; absent in a room. */
  hint?(): void;
  offerDraw(player: string): void;
  /** True if another player can answer an offer of a draw; absent if that is always so. */
  canAnswer?(position: Position): boolean;
  resign(player: string): void;
}

export class GameBar {
  readonly element = el("div", { class: "row game-actions", role: "group", "aria-label": "Game actions" });
  private readonly undo = button("Undo", () => this.undoMove());
  private readonly hint = button("Hint", () => this.actions.hint?.());
  private readonly draw = button("Offer a draw", () => this.actions.offerDraw(this.actingPlayer()));
  private readonly resign = button("Resign", () => this.confirmResign());
  private confirmTimer = 0;

  constructor(
    private readonly session: Session,
    private readonly actions: GameActions,
  ) {
    const flip = button("Flip", () => this.flipBoard(), { title: "Flip the board" });
    this.element.append(this.undo, this.hint, flip, this.draw, this.resign);
  }

  show(position: Position, isPlaying: boolean): void {
    const { setup, result } = this.session;
    const isOver = winnerOf(position, result) !== undefined;
    const canMove = !isOver && !position.chance && occupantOf(setup, position.mover) === PERSON;
    const isGame = isPlaying && position.players.length > 1 && hasBegun(position);
    this.undo.disabled = lastPersonPly(position, setup) === null;
    this.hint.disabled = !canMove || !position.legal.length;
    this.resign.hidden = !isGame || isOver;
    this.draw.hidden = this.resign.hidden || this.actions.canAnswer?.(position) === false;
    this.draw.disabled = !canMove && Boolean(this.actions.hint);
    // Taking back a move, and a hint for a position that is seen in part, would reveal something.
    this.undo.hidden = !isPlaying || Boolean(position.hides);
    this.hint.hidden = this.undo.hidden || !this.actions.hint;
    this.resetResign();
  }

  private undoMove(): void {
    const { position, setup } = this.session;
    const ply = position && lastPersonPly(position, setup);
    if (ply !== null) this.actions.undo(ply);
  }

  private flipBoard(): void {
    const { setup } = this.session;
    this.session.changeSetup({ ...setup, flipped: !setup.flipped });
  }

  /** Return the person that acts: the only one, or the one to move. */
  private actingPlayer(): string {
    const position = this.session.position!;
    return onlyPerson(position, this.session.setup) ?? position.mover;
  }

  private confirmResign(): void {
    if (!this.confirmTimer) {
      this.resign.textContent = `Resign as ${sideOf(this.session.position!, this.actingPlayer())}?`;
      this.confirmTimer = setTimeout(() => this.resetResign(), CONFIRM_TIME);
      return;
    }
    this.resetResign();
    this.actions.resign(this.actingPlayer());
  }

  private resetResign(): void {
    clearTimeout(this.confirmTimer);
    this.confirmTimer = 0;
    this.resign.textContent = "Resign";
  }
}

/** Return the ply of the last move of a person; null if no person has moved. */
export function lastPersonPly({ moves }: Position, setup: Setup): number | null {
  const isOwn = ({ player }: Position["moves"][number]) =>
    Boolean(player) && occupantOf(setup, player!) === PERSON;
  const at = moves.findLastIndex(isOwn);
  return at < 0 ? null : at;
}
