// Dragging of pieces by mouse, pen or finger.

const FAR = 6; // pixels that a pointer moves until it drags

interface Acts {
  /** The cell of an element; null for none. */
  cellOf(element: Element | null): number | null;
  /** True if a piece on a cell may be dragged. */
  canGrip(cell: number): boolean;
  /** A drag begins; returns the elements that follow the pointer. */
  grip(cell: number): SVGElement[];
  /** The pointer is over a cell. */
  over(cell: number | null): void;
  /** The drag ends over a cell. */
  drop(cell: number | null): void;
}

interface Drag {
  cell: number;
  pointer: number;
  start: DOMPoint;
  x: number;
  y: number;
  ghosts: SVGElement[] | null;
}

export class Dragging {
  private drag: Drag | null = null;

  constructor(
    private readonly area: SVGGraphicsElement,
    private readonly acts: Acts,
  ) {
    area.addEventListener("pointerdown", (event) => this.began(event));
    // A finger that holds a piece does not scroll the page.
    const hold = (event: TouchEvent) => this.drag && event.cancelable && event.preventDefault();
    area.addEventListener("touchmove", hold, { passive: false });
    addEventListener("pointermove", (event) => this.moved(event));
    addEventListener("pointerup", (event) => this.ended(event, true));
    addEventListener("pointercancel", (event) => this.ended(event, false));
  }

  private began(event: PointerEvent): void {
    const cell = this.acts.cellOf(event.target as Element);
    if (this.drag || event.button !== 0 || cell === null || !this.acts.canGrip(cell)) return;
    const { pointerId: pointer, clientX: x, clientY: y } = event;
    this.drag = { cell, pointer, start: this.point(event), x, y, ghosts: null };
  }

  private moved(event: PointerEvent): void {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    const isFar = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > FAR;
    if (!drag.ghosts && !isFar) return;
    drag.ghosts ??= this.acts.grip(drag.cell);
    const { x, y } = this.point(event);
    for (const ghost of drag.ghosts) {
      ghost.classList.add("dragged");
      ghost.style.translate = `${x - drag.start.x}px ${y - drag.start.y}px`;
    }
    this.acts.over(this.cellUnder(event));
  }

  private ended(event: PointerEvent, isDropped: boolean): void {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    this.drag = null;
    if (!drag.ghosts) return;
    for (const ghost of drag.ghosts) {
      ghost.classList.remove("dragged");
      ghost.style.translate = "";
    }
    this.acts.over(null);
    this.swallowClick();
    this.acts.drop(isDropped ? this.cellUnder(event) : null);
  }

  /** A drag within a cell would count as a click on it too. */
  private swallowClick(): void {
    const swallow = (event: Event) => event.stopPropagation();
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
  }

  private cellUnder({ clientX, clientY }: PointerEvent): number | null {
    return this.acts.cellOf(document.elementFromPoint(clientX, clientY));
  }

  /** The place of a pointer in the units of the area. */
  private point({ clientX, clientY }: PointerEvent): DOMPoint {
    const matrix = this.area.getScreenCTM();
    const point = new DOMPoint(clientX, clientY);
    return matrix ? point.matrixTransform(matrix.inverse()) : point;
  }
}
