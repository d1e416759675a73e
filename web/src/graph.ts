// The values of an annotated game: a graph and a summary.

import type { MoveAnnotation } from "./protocol";
import { shape } from "./svg";

/** Draw the values after each move for the first player; a click shows a position. */
export function valueGraph(notes: MoveAnnotation[], first: string, goTo: (ply: number) => void): SVGElement {
  const svg = shape("svg", { viewBox: "0 0 100 30", role: "img", preserveAspectRatio: "none" });
  svg.setAttribute("aria-label", `Values after ${notes.length} moves, for ${first}`);
  const points = notes.map(({ player, after }, at) => {
    const bar = player === first ? after.bar : -after.bar;
    return `${((at + 0.5) * 100) / notes.length},${15 - 14 * bar}`;
  });
  svg.append(shape("path", { d: "M0 15H100", class: "axis" }));
  svg.append(shape("polyline", { points: points.join(" "), class: "curve" }));
  svg.addEventListener("click", ({ offsetX }) => {
    const at = Math.floor((offsetX / svg.clientWidth) * notes.length);
    const note = notes[Math.min(at, notes.length - 1)];
    if (note) goTo(note.ply);
  });
  return svg;
}

/** True if the searches found no better move than the one played. */
export function isAsGood({ move, best, before, after }: MoveAnnotation): boolean {
  return move === best || (before.unit === after.unit && after.number >= before.number);
}

/** Return a summary with the number of best moves, including equally good ones. */
export function summary(notes: MoveAnnotation[]): string {
  const best = notes.filter(isAsGood).length;
  const blunders = notes.filter((note) => note.turns && !isAsGood(note)).length;
  const blunderText = blunders === 1 ? "1 blunder" : `${blunders} blunders`;
  const moves = notes.length === 1 ? "1 move" : `${notes.length} moves`;
  return `${moves} annotated: ${best} as good as the best, ${blunderText}.`;
}
