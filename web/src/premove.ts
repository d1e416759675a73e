// A premove: it is selected while another player is to move, and played if it is legal then.

import type { LegalMove } from "./protocol";
import { pathOf, selectCell } from "./selection";

const MAX_CELLS = 2; // of a premove: origin and target

export class Premove {
  cells: number[] = [];

  /** Return the number of cells of a premove, from the legal moves of the other player. */
  length(legal: LegalMove[]): number {
    return Math.min(MAX_CELLS, Math.max(0, ...legal.map((move) => pathOf(move).length)));
  }

  /** Add a cell; a selected cell clears the premove, a cell after a complete one starts another. */
  add(cell: number, legal: LegalMove[]): void {
    const maxCells = this.length(legal);
    if (this.cells.includes(cell) || !maxCells) this.cells = [];
    else if (this.cells.length >= maxCells) this.cells = [cell];
    else this.cells = [...this.cells, cell];
  }

  clear(): void {
    this.cells = [];
  }

  /** Return the legal move of the premove, if there is exactly one, and clear the premove. */
  takeMove(legal: LegalMove[]): LegalMove | null {
    let selected: number[] = [];
    const { cells } = this;
    this.clear();
    for (const cell of cells) {
      const result = selectCell(legal, selected, cell);
      if (result.kind === "move") return result.move;
      if (result.kind !== "partial") return null;
      ({ selected } = result);
    }
    return null;
  }
}
