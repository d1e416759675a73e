// The picture of a position, with animated moves; it can be flipped.

import type { Cell, Position, Step } from "./protocol";
import { parsePicture, shape } from "./svg";

const MOVE_TIME = 180; // milliseconds
const FADE_TIME = 220;
const MAX_DISTANCE = 0.6; // units between the point of a figure and that of its cell

export class Picture {
  readonly element = shape("g", { "aria-hidden": "true" });
  private cells: Cell[] = [];

  /** Draw a position and return the attributes of its SVG element. */
  draw({ drawing }: Position, isFlipped: boolean): Attr[] {
    const parsed = parsePicture(drawing.svg);
    const isShown = (node: ChildNode) => !["title", "desc"].includes(node.nodeName);
    this.cells = drawing.cells;
    this.element.replaceChildren(...[...(parsed?.childNodes ?? [])].filter(isShown));
    if (isFlipped) this.keepUpright();
    return [...(parsed?.attributes ?? [])];
  }

  /** Return the figures on a cell, with their texts. */
  figuresAt(cell: number): SVGElement[] {
    const at = this.cells[cell]?.at;
    if (!at) return [];
    return this.figures().flatMap((figure) => {
      if (!isNear(pointOf(figure), at)) return [];
      const next = figure.nextElementSibling;
      const isText = next instanceof SVGElement && next.localName === "text";
      return isText && Number(next.getAttribute("x")) === pointOf(figure)?.[0]
        ? [figure, next]
        : [figure];
    });
  }

  /** Animate the last move of a position; `before` are the figures before it. */
  animate(before: Figures, { moves, drawing }: Position): void {
    const steps = moves.at(-1)?.steps ?? [];
    const paths = pathsOf(steps);
    const origins = new Set(paths.map(([origin]) => origin!));
    for (const path of paths) {
      const [x, y] = drawing.cells[path.at(-1)!]!.at;
      const frames = path.map((cell) => {
        const [u, v] = drawing.cells[cell]!.at;
        return { translate: `${u - x}px ${v - y}px` };
      });
      for (const figure of this.figuresAt(path.at(-1)!)) figure.animate(frames, MOVE_TIME * (path.length - 1));
    }
    before.forEach((figures, cell) => {
      if (origins.has(cell) || this.figuresAt(cell).length) return;
      for (const figure of figures) this.fade(figure);
    });
  }

  /** Return the figures by cell. */
  byCell(): Figures {
    return this.cells.map((_, cell) => this.figuresAt(cell));
  }

  private fade(figure: SVGElement): void {
    this.element.append(figure);
    const animation = figure.animate([{ opacity: 1 }, { opacity: 0 }], FADE_TIME);
    animation.onfinish = animation.oncancel = () => figure.remove();
  }

  private figures(): SVGElement[] {
    return [...this.element.children].filter(
      (child): child is SVGElement => child instanceof SVGElement && pointOf(child) !== null,
    );
  }

  /** Rotate texts and figures of a flipped board upright, unless figures have directions. */
  private keepUpright(): void {
    const figures = this.figures();
    const isDirected = figures.some((figure) => figure.getAttribute("transform")!.includes("rotate"));
    for (const text of this.element.querySelectorAll("text")) {
      const [x, y, size] = ["x", "y", "font-size"].map((name) => Number(text.getAttribute(name)));
      if (text.parentElement === (this.element as Element)) {
        text.setAttribute("transform", `rotate(180 ${x} ${y! - size! * 0.35})`);
      }
    }
    for (const figure of isDirected ? [] : figures) {
      const transform = figure.getAttribute("transform")!;
      figure.setAttribute("transform", transform.replace(")", ") rotate(180)"));
    }
  }
}

type Figures = SVGElement[][];

/** True if a position is the result of one move in another one. */
export function isNextPosition(next: Position, before: Position): boolean {
  const [moves, movesBefore] = [next.moves, before.moves];
  return (
    moves.length === movesBefore.length + 1 &&
    next.title === before.title &&
    movesBefore.every(({ text }, at) => moves[at]!.text === text)
  );
}

/** Return the path of cells of each moved piece, from its origin to its last target. */
function pathsOf(steps: Step[]): number[][] {
  const paths: number[][] = [];
  for (const [from, to] of steps) {
    if (from < 0 || to < 0) continue;
    const path = paths.find((path) => path.at(-1) === from);
    if (path) path.push(to);
    else paths.push([from, to]);
  }
  return paths;
}

function pointOf(element: Element): [number, number] | null {
  const translation = /^translate\((-?[\d.]+)[ ,]+(-?[\d.]+)\)/.exec(element.getAttribute("transform") ?? "");
  return translation && [Number(translation[1]), Number(translation[2])];
}

function isNear(place: [number, number] | null, at: [number, number]): boolean {
  return place !== null && Math.hypot(place[0] - at[0], place[1] - at[1]) < MAX_DISTANCE;
}
