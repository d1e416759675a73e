// Views of a position and of its rules that are texts: the board as a table, the rules in English.

import { el, fill } from "./dom";
import type { Cell, Position, Rules } from "./protocol";

/** What stands on a cell, its numbers too but for zeros: `black man`, `4 seeds`; empty if nothing. */
export function standingOn({ piece, numbers }: Cell): string {
  const counted = Object.entries(numbers).filter(([, number]) => number);
  return [piece, ...counted.map(([name, number]) => `${number} ${name}`)].filter(Boolean).join(", ");
}

/** The board as a table, for those who do not see it. */
export function fillTable(table: HTMLTableElement, position: Position): void {
  const { table: shown, drawing, title, said } = position;
  const caption = el("caption", {}, shown ? `${title}, cell by cell` : said);
  if (!shown) return fill(table, caption);
  const text = (cell: number | null) => {
    if (cell === null) return "";
    const { symbol, name } = drawing.cells[cell]!;
    const standing = standingOn(drawing.cells[cell]!);
    return standing ? `${symbol} ${standing}`.trim() : name;
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

/** The rules, section by section. */
export function rulesText({ sections }: Rules): HTMLElement {
  const made = el("div", { class: "rules" });
  for (const { heading, parts } of sections) {
    made.append(el("h3", {}, heading));
    for (const part of parts) {
      if (typeof part === "string") made.append(el("p", {}, ...coded(part)));
      else made.append(el("ul", {}, ...part.map((item) => el("li", {}, ...coded(item)))));
    }
  }
  return made;
}

/** A text with what stands between backticks as code. */
export function coded(text: string): (Node | string)[] {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 ? el("code", {}, part) : part));
}

/** Markdown as the editor server writes it: paragraphs, fenced blocks, `code` and *stress*. */
export function markdown(text: string): HTMLElement {
  const made = el("div", { class: "markdown" });
  text.split(/^```\w*\n?/m).forEach((part, at) => {
    if (at % 2) made.append(el("pre", {}, part.trimEnd()));
    else {
      const texts = part.split(/\n{2,}/).filter((one) => one.trim());
      made.append(...texts.map((one) => el("p", {}, ...inline(one))));
    }
  });
  return made;
}

/** `code`, **stress** and *light stress* within a paragraph. */
function* inline(text: string): Iterable<Node | string> {
  for (const [, code, strong, stress, plain] of text.matchAll(
    /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|([^`*]+|[`*])/g,
  )) {
    if (code) yield el("code", {}, code);
    else if (strong) yield el("strong", {}, strong);
    else if (stress) yield el("em", {}, stress);
    else yield plain ?? "";
  }
}
