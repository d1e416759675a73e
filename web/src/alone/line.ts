// The line of play: positions behind the moves so far, each with what may follow.

import type { Words } from "./kernels";
import type { Ending, Rules } from "./rules";

/** A position: its state, how the game has ended there if it has, and the legal moves, which have
 * weights where chance is to move. */
export interface Place {
  state: Words;
  ending: Ending | null;
  moves: Words[];
  texts: string[];
  weights: number[];
}

export class Line {
  private readonly places: Place[] = [];
  private readonly played: string[] = [];

  constructor(private readonly rules: Rules) {
    this.places.push(this.place(rules.start));
  }

  /** The positions from the start to behind the last of these moves that is legal.
   *
   * Kernels remember one line of play, of which a state knows how much is before it: what comes
   * behind the moves that this line has in common with the last one is forgotten here too. */
  to(moves: readonly string[]): readonly Place[] {
    const parting = this.played.findIndex((text, at) => moves[at] !== text);
    if (parting >= 0) this.played.length = parting;
    this.places.length = this.played.length + 1;
    for (const text of moves.slice(this.played.length)) {
      const { state, moves: legal, texts } = this.places.at(-1)!;
      const move = legal[texts.indexOf(text)];
      if (!move) break;
      this.places.push(this.place(this.rules.apply(state, move)));
      this.played.push(text);
    }
    return this.places;
  }

  private place(state: Words): Place {
    const ending = this.rules.ending(state);
    const moves = ending ? [] : this.rules.legal(state);
    const texts = moves.map((move) => this.rules.text(state, move));
    return { state, ending, moves, texts, weights: this.rules.weights(state, moves) };
  }
}
