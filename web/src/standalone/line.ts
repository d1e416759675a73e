// The current line of play: the positions after each move, with their legal moves.

import type { Words } from "./kernels";
import type { Ending, Rules } from "./rules";

/** A position on the line of play. */
export interface PositionNode {
  state: Words;
  ending: Ending | null;
  /** The legal moves. */
  moves: Words[];
  /** The notation of the legal moves. */
  texts: string[];
  /** The weights of the legal moves; empty unless chance is to move. */
  weights: number[];
}

export class Line {
  private readonly nodes: PositionNode[] = [];
  private readonly played: string[] = [];

  constructor(private readonly rules: Rules) {
    this.nodes.push(this.nodeOf(rules.start));
  }

  /**
   * Return the positions from the initial one to that after the last legal move of a list.
   *
   * Kernels store the history of one line of play, and a state contains its length. So the
   * positions after the common prefix with the previous line are discarded here too.
   */
  follow(moves: readonly string[]): readonly PositionNode[] {
    const firstDifference = this.played.findIndex((text, at) => moves[at] !== text);
    if (firstDifference >= 0) this.played.length = firstDifference;
    this.nodes.length = this.played.length + 1;
    for (const text of moves.slice(this.played.length)) {
      const { state, moves: legal, texts } = this.nodes.at(-1)!;
      const move = legal[texts.indexOf(text)];
      if (!move) break;
      this.nodes.push(this.nodeOf(this.rules.apply(state, move)));
      this.played.push(text);
    }
    return this.nodes;
  }

  private nodeOf(state: Words): PositionNode {
    const ending = this.rules.ending(state);
    const moves = ending ? [] : this.rules.legal(state);
    const texts = moves.map((move) => this.rules.text(state, move));
    return { state, ending, moves, texts, weights: this.rules.weights(state, moves) };
  }
}
