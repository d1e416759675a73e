// The values of an annotated game: a curve, and a sentence.

import type { MoveAnnotation } from "./protocol";
import { shape } from "./svg";

/** The values after each move, as the first player sees them; a click shows the move there. */
export function valueGraph(notes: MoveAnnotation[], first: string, go: (ply: number) => void): SVGElement {
  const made = shape("svg", { viewBox: "0 0 100 30", role: "img", preserveAspectRatio: "none" });
  made.setAttribute("aria-label", `Values after ${notes.length} moves, as ${first} sees them`);
  const points = notes.map(({ player, after }, at) => {
    const bar = player === first ? after.bar : -after.bar;
    return `${((at + 0.5) * 100) / notes.length},${15 - 14 * bar}`;
  });
  made.append(shape("path", { d: "M0 15H100", class: "axis" }));
  made.append(shape("polyline", { points: points.join(" "), class: "curve" }));
  made.addEventListener("click", ({ offsetX }) => {
    const at = Math.floor((offsetX / made.clientWidth) * notes.length);
    const note = notes[Math.min(at, notes.length - 1)];
    if (note) go(note.ply);
  });
  return made;
}

/** True if no move was better than the one played, as far as the searches know. */
export function isAsGood({ move, best, before, after }: MoveAnnotation): boolean {
  return move === best || (before.unit === after.unit && after.number >= before.number);
}

/** How many moves were the best ones, counting all moves that are equally good. */
export function summary(notes: MoveAnnotation[]): string {
  const best = notes.filter(isAsGood).length;
  const turned = notes.filter((note) => note.turns && !isAsGood(note)).length;
  const thrown = turned === 1 ? "1 threw a result away" : `${turned} threw a result away`;
  const moves = notes.length === 1 ? "1 move" : `${notes.length} moves`;
  return `${moves} annotated: ${best} as good as the best, ${thrown}.`;
}
