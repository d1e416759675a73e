// A move that is planned while another player thinks; it is played if it is legal then.

import { choose, pathOf } from "./choosing";
import type { LegalMove } from "./protocol";

const MOST = 2; // cells of a plan: from and to

export class Premove {
  cells: number[] = [];

  /** The number of cells that a plan needs, as the moves of the other player have them. */
  reach(legal: LegalMove[]): number {
    return Math.min(MOST, Math.max(0, ...legal.map((move) => pathOf(move).length)));
  }

  /** Adds a cell; one that is planned already, or one after a whole plan, begins again. */
  add(cell: number, legal: LegalMove[]): void {
    const most = this.reach(legal);
    if (this.cells.includes(cell) || !most) this.cells = [];
    else if (this.cells.length >= most) this.cells = [cell];
    else this.cells = [...this.cells, cell];
  }

  drop(): void {
    this.cells = [];
  }

  /** The planned move among the legal ones, if there is exactly one; the plan is over then. */
  take(legal: LegalMove[]): LegalMove | null {
    let picked: number[] = [];
    const { cells } = this;
    this.drop();
    for (const cell of cells) {
      const choice = choose(legal, picked, cell);
      if (choice.kind === "played") return choice.move;
      if (choice.kind !== "picked") return null;
      ({ picked } = choice);
    }
    return null;
  }
}
