// The start position of a spec, drawn by clicks: a palette of pieces, and the drawing in the text.

import { selectBox, el, fill } from "./dom";
import type { Position } from "./protocol";

// The section `start:` of a spec, to the next line that begins a section.
const SECTION = /^start:.*\n(?:(?:[ \t#-].*)?\n)*/m;

export class StartDrawing {
  readonly element = el("div", { class: "row palette", hidden: true });
  private symbol = "";
  private shown = "";

  /** Shows the pieces of a position to choose from. */
  show({ pieces }: Position): void {
    const key = JSON.stringify(pieces);
    if (key === this.shown) return;
    this.shown = key;
    this.symbol = pieces[0]?.symbol ?? "";
    const options = pieces.map(({ piece, symbol }) => [symbol, `${piece || "empty"} ${symbol}`] as const);
    const list = selectBox(options, this.symbol, (symbol) => (this.symbol = symbol), {
      "aria-label": "Piece to put",
    });
    fill(this.element, el("span", {}, "A click on a cell puts"), list);
  }

  /** The rows of the board with the chosen piece on a cell; null where it is there already. */
  rows({ table, drawing, pieces }: Position, cell: number): string[] | null {
    const empty = pieces.at(-1)?.symbol ?? ".";
    const now = drawing.cells[cell]!.symbol || empty;
    if (!table || now === this.symbol) return null;
    return table.rows.map(({ cells }) =>
      cells
        .filter((one) => one !== null)
        .map((one) => (one === cell ? this.symbol : drawing.cells[one]!.symbol || empty))
        .join(""),
    );
  }
}

/** A spec with another start position. */
export function withStart(text: string, rows: string[]): string {
  const section = `start: |\n${rows.map((row) => `  ${row}\n`).join("")}`;
  const whole = text.endsWith("\n") ? text : `${text}\n`;
  if (SECTION.test(whole)) return whole.replace(SECTION, () => section);
  return whole.replace(/^rules:/m, () => `${section}rules:`);
}
