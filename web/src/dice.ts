// The last chance event, drawn as dice if it consists of numbers of dice.

import { el } from "./dom";
import type { Position } from "./protocol";
import { shape } from "./svg";

const SIZE = 34;
// Pips of each face in a grid of three by three.
const PIPS = [[4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

/** Render the last chance event before a position; return null if there was none. */
export function lastRoll({ moves, shows_dice }: Position): HTMLElement | null {
  const last = moves.findLast(({ player }) => !player);
  if (!last || shows_dice) return null;
  const numbers = last.text.match(/^[1-6](\D+[1-6])*$/) ? last.text.match(/\d/g)! : [];
  const shown = numbers.length ? numbers.map((number) => die(Number(number))) : [last.text];
  return el("p", { role: "img", "aria-label": rollText(last.text), class: "dice" }, ...shown);
}

export function rollText(text: string): string {
  return `last roll: ${text}`;
}

function die(number: number): SVGElement {
  const element = shape("svg", { viewBox: "0 0 30 30", width: SIZE, height: SIZE, class: "die" });
  element.append(shape("rect", { x: 1, y: 1, width: 28, height: 28, rx: 6 }));
  for (const pip of PIPS[number - 1]!) {
    element.append(shape("circle", { cx: 8 + 7 * (pip % 3), cy: 8 + 7 * Math.floor(pip / 3), r: 2.6 }));
  }
  return element;
}
