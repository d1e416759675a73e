// Text views: the board as a table, the rules in English, and Markdown.

import { el, fill } from "./dom";
import type { Cell, Position, Rules } from "./protocol";

/** Return the piece and the nonzero numbers of a cell: `black man`, `4 seeds`; empty if none. */
export function cellText({ piece, numbers }: Cell): string {
  const counted = Object.entries(numbers).filter(([, number]) => number);
  return [piece, ...counted.map(([name, number]) => `${number} ${name}`)].filter(Boolean).join(", ");
}

/** Render the board as a table, for screen readers. */
export function fillTable(table: HTMLTableElement, position: Position): void {
  const { table: shown, drawing, title, description } = position;
  const caption = el("caption", {}, shown ? `${title}, cell by cell` : description);
  if (!shown) return fill(table, caption);
  const text = (cell: number | null) => {
    if (cell === null) return "";
    const { symbol, name } = drawing.cells[cell]!;
    const occupant = cellText(drawing.cells[cell]!);
    return occupant ? `${symbol} ${occupant}`.trim() : name;
  };
  const head = shown.columns.map((name) => (name ? el("th", { scope: "col" }, name) : el("td")));
  const rows = shown.rows.map(({ label, cells }) =>
    el(
      "tr",
      {},
      label ? el("th", { scope: "row" }, label) : el("td"),
      ...cells.map((cell) => el("td", {}, text(cell))),
    ),
  );
  fill(table, caption, el("tbody", {}, el("tr", {}, el("td"), ...head), ...rows));
}

/** Render the rules, section by section. */
export function rulesText({ sections }: Rules): HTMLElement {
  const element = el("div", { class: "rules" });
  for (const { heading, parts } of sections) {
    element.append(el("h3", {}, heading));
    for (const part of parts) {
      if (typeof part === "string") element.append(el("p", {}, ...withCode(part)));
      else element.append(el("ul", {}, ...part.map((item) => el("li", {}, ...withCode(item)))));
    }
  }
  return element;
}

/** Render a text, with parts in backticks as code. */
export function withCode(text: string): (Node | string)[] {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 ? el("code", {}, part) : part));
}

/** Render Markdown of the server: paragraphs, fenced blocks, `code` and *emphasis*. */
export function markdown(text: string): HTMLElement {
  const element = el("div", { class: "markdown" });
  text.split(/^```\w*\n?/m).forEach((part, at) => {
    if (at % 2) element.append(el("pre", {}, part.trimEnd()));
    else {
      const texts = part.split(/\n{2,}/).filter((one) => one.trim());
      element.append(...texts.map((one) => el("p", {}, ...inlineMarkup(one))));
    }
  });
  return element;
}

/** Yield the inline markup of a paragraph: `code`, **strong** and *emphasis*. */
function* inlineMarkup(text: string): Iterable<Node | string> {
  for (const [, code, strong, stress, plain] of text.matchAll(
    /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|([^`*]+|[`*])/g,
  )) {
    if (code) yield el("code", {}, code);
    else if (strong) yield el("strong", {}, strong);
    else if (stress) yield el("em", {}, stress);
    else yield plain ?? "";
  }
}
