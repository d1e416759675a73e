// The setup of the start position by clicks: a palette of pieces, and the diagram in the spec.

import { el, fill, selectBox } from "./dom";
import type { Position } from "./protocol";

// The section `start:` of a spec, up to the next section.
const SECTION = /^start:.*\n(?:(?:[ \t#-].*)?\n)*/m;

export class StartPosition {
  readonly element = el("div", { class: "row palette", hidden: true });
  private symbol = "";
  private shown = "";

  /** Show the palette of pieces. */
  show({ pieces }: Position): void {
    const key = JSON.stringify(pieces);
    if (key === this.shown) return;
    this.shown = key;
    this.symbol = pieces[0]?.symbol ?? "";
    const options = pieces.map(({ piece, symbol }) => [symbol, `${piece || "empty"} ${symbol}`] as const);
    const list = selectBox(options, this.symbol, (symbol) => (this.symbol = symbol), {
      "aria-label": "Piece to place",
    });
    fill(this.element, el("span", {}, "A click on a cell places"), list);
  }

  /** Return the rows of the diagram with the selected piece on a cell; null if it is there already. */
  rowsWith({ table, drawing, pieces }: Position, cell: number): string[] | null {
    const empty = pieces.at(-1)?.symbol ?? ".";
    const current = drawing.cells[cell]!.symbol || empty;
    if (!table || current === this.symbol) return null;
    return table.rows.map(({ cells }) =>
      cells
        .filter((one) => one !== null)
        .map((one) => (one === cell ? this.symbol : drawing.cells[one]!.symbol || empty))
        .join(""),
    );
  }
}

/** Return a spec with another start position. */
export function withStart(text: string, rows: string[]): string {
  const section = `start: |\n${rows.map((row) => `  ${row}\n`).join("")}`;
  const complete = text.endsWith("\n") ? text : `${text}\n`;
  if (SECTION.test(complete)) return complete.replace(SECTION, () => section);
  return complete.replace(/^rules:/m, () => `${section}rules:`);
}
