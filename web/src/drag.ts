// Dragging of pieces by mouse, pen or finger.

const DRAG_DISTANCE = 6; // pixels from the press of the pointer to the start of a drag

interface DragHandlers {
  /** Return the cell of an element; null if it has none. */
  cellOf(element: Element | null): number | null;
  /** True if the piece on a cell can be dragged. */
  isDraggable(cell: number): boolean;
  /** Handle the start of a drag; return the elements that follow the pointer. */
  onStart(cell: number): SVGElement[];
  /** Handle a move of the pointer to a cell. */
  onOver(cell: number | null): void;
  /** Handle the end of a drag over a cell. */
  onDrop(cell: number | null): void;
}

interface Drag {
  cell: number;
  pointer: number;
  start: DOMPoint;
  x: number;
  y: number;
  ghosts: SVGElement[] | null;
}

export class DragController {
  private drag: Drag | null = null;

  constructor(
    private readonly area: SVGGraphicsElement,
    private readonly handlers: DragHandlers,
  ) {
    area.addEventListener("pointerdown", (event) => this.onPointerDown(event));
    // A finger that holds a piece does not scroll the page.
    const preventScroll = (event: TouchEvent) => this.drag && event.cancelable && event.preventDefault();
    area.addEventListener("touchmove", preventScroll, { passive: false });
    addEventListener("pointermove", (event) => this.onPointerMove(event));
    addEventListener("pointerup", (event) => this.onPointerUp(event, true));
    addEventListener("pointercancel", (event) => this.onPointerUp(event, false));
  }

  private onPointerDown(event: PointerEvent): void {
    const cell = this.handlers.cellOf(event.target as Element);
    if (this.drag || event.button !== 0 || cell === null || !this.handlers.isDraggable(cell)) return;
    const { pointerId: pointer, clientX: x, clientY: y } = event;
    this.drag = { cell, pointer, start: this.point(event), x, y, ghosts: null };
  }

  private onPointerMove(event: PointerEvent): void {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    const isFar = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAG_DISTANCE;
    if (!drag.ghosts && !isFar) return;
    drag.ghosts ??= this.handlers.onStart(drag.cell);
    const { x, y } = this.point(event);
    for (const ghost of drag.ghosts) {
      ghost.classList.add("dragged");
      ghost.style.translate = `${x - drag.start.x}px ${y - drag.start.y}px`;
    }
    this.handlers.onOver(this.cellUnder(event));
  }

  private onPointerUp(event: PointerEvent, isDropped: boolean): void {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    this.drag = null;
    if (!drag.ghosts) return;
    for (const ghost of drag.ghosts) {
      ghost.classList.remove("dragged");
      ghost.style.translate = "";
    }
    this.handlers.onOver(null);
    this.suppressClick();
    this.handlers.onDrop(isDropped ? this.cellUnder(event) : null);
  }

  /** Suppress the click event that follows a drag within one cell. */
  private suppressClick(): void {
    const stop = (event: Event) => event.stopPropagation();
    addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", stop, { capture: true }));
  }

  private cellUnder({ clientX, clientY }: PointerEvent): number | null {
    return this.handlers.cellOf(document.elementFromPoint(clientX, clientY));
  }

  /** Return the point of the pointer in the units of the area. */
  private point({ clientX, clientY }: PointerEvent): DOMPoint {
    const matrix = this.area.getScreenCTM();
    const point = new DOMPoint(clientX, clientY);
    return matrix ? point.matrixTransform(matrix.inverse()) : point;
  }
}
