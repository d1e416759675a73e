// What may be done in a game besides moves: undo, hint, flip, resign, a draw.

import { button, el } from "./dom";
import { hasBegun, onlyPerson, PERSON, occupantOf, sideOf, winnerOf } from "./names";
import type { Position, Setup } from "./protocol";
import type { Session } from "./session";

const SURE = 4000; // milliseconds within which a resignation is confirmed

export interface GameActs {
  undo(to: number): void;
  /** Absent where a hint would be unfair. */
  hint?(): void;
  offerDraw(player: string): void;
  /** Absent where whoever is offered a draw can answer. */
  canAnswer?(position: Position): boolean;
  resign(player: string): void;
}

export class GameBar {
  readonly element = el("div", { class: "row acts", role: "group", "aria-label": "Game actions" });
  private readonly undo = button("Undo", () => this.takeBack());
  private readonly hint = button("Hint", () => this.acts.hint?.());
  private readonly draw = button("Offer a draw", () => this.acts.offerDraw(this.player()));
  private readonly resign = button("Resign", () => this.giveUp());
  private sure = 0;

  constructor(
    private readonly session: Session,
    private readonly acts: GameActs,
  ) {
    const flip = button("Flip", () => this.flip(), { title: "Turn the board round" });
    this.element.append(this.undo, this.hint, flip, this.draw, this.resign);
  }

  show(position: Position, isPlaying: boolean): void {
    const { setup, result } = this.session;
    const isOver = winnerOf(position, result) !== undefined;
    const canMove = !isOver && !position.chance && occupantOf(setup, position.mover) === PERSON;
    const isGame = isPlaying && position.players.length > 1 && hasBegun(position);
    this.undo.disabled = undoTo(position, setup) === null;
    this.hint.disabled = !canMove || !position.legal.length;
    this.resign.hidden = !isGame || isOver;
    this.draw.hidden = this.resign.hidden || this.acts.canAnswer?.(position) === false;
    this.draw.disabled = !canMove && Boolean(this.acts.hint);
    this.undo.hidden = !isPlaying;
    this.hint.hidden = !isPlaying || !this.acts.hint;
    this.unsure();
  }

  private takeBack(): void {
    const { position, setup } = this.session;
    const to = position && undoTo(position, setup);
    if (to !== null) this.acts.undo(to);
  }

  private flip(): void {
    const { setup } = this.session;
    this.session.changeSetup({ ...setup, flipped: !setup.flipped });
  }

  /** The person that acts: the only one, or the one to move. */
  private player(): string {
    const position = this.session.position!;
    return onlyPerson(position, this.session.setup) ?? position.mover;
  }

  private giveUp(): void {
    if (!this.sure) {
      this.resign.textContent = `Resign as ${sideOf(this.session.position!, this.player())}?`;
      this.sure = setTimeout(() => this.unsure(), SURE);
      return;
    }
    this.unsure();
    this.acts.resign(this.player());
  }

  private unsure(): void {
    clearTimeout(this.sure);
    this.sure = 0;
    this.resign.textContent = "Resign";
  }
}

/** The ply at which a person made the last move; null where no person has moved. */
export function undoTo({ moves }: Position, setup: Setup): number | null {
  const isOwn = ({ player }: Position["moves"][number]) =>
    Boolean(player) && occupantOf(setup, player!) === PERSON;
  const at = moves.findLastIndex(isOwn);
  return at < 0 ? null : at;
}
