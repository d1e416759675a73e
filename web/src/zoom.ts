// Zoom of boards with cells that are too small for a finger.

import { iconButton } from "./dom";

const MIN_SPACING = 32; // pixels between two cells that a finger can hit
const ZOOMED_SPACING = 40;
const ICON = "M6.5 1a5.5 5.5 0 0 1 4.4 8.8l3.9 3.9-1.1 1.1-3.9-3.9A5.5 5.5 0 1 1 6.5 1z";

export class Zoom {
  readonly button = iconButton(ICON, "Enlarge the board", () => this.toggle());
  private isOn: boolean | null = null;
  private unit = 1;
  private width = 1;

  constructor(
    private readonly board: HTMLElement,
    private readonly svg: SVGSVGElement,
  ) {
    this.button.hidden = true;
    new ResizeObserver(() => this.update()).observe(board);
  }

  /** Set the distance of cells and the width of the picture, in its units. */
  measure(unit: number, [, , width]: [number, number, number, number]): void {
    [this.unit, this.width] = [unit, width];
    this.update();
  }

  /** Scroll to a point of the picture, in fractions of its width and height. */
  scrollTo(across: number, down: number): void {
    if (!this.board.classList.contains("zoomed")) return;
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = this.board;
    this.board.scrollTo({
      left: across * scrollWidth - clientWidth / 2,
      top: down * scrollHeight - clientHeight / 2,
    });
  }

  private toggle(): void {
    this.isOn = !this.board.classList.contains("zoomed");
    this.update();
  }

  private update(): void {
    const shownSpacing = (this.board.clientWidth * this.unit) / this.width;
    const isSmall = shownSpacing > 0 && shownSpacing < MIN_SPACING;
    const isOn = isSmall && (this.isOn ?? matchMedia("(pointer: coarse)").matches);
    this.button.hidden = !isSmall;
    this.button.setAttribute("aria-pressed", String(isOn));
    this.board.classList.toggle("zoomed", isOn);
    this.svg.style.width = isOn ? `${(this.width * ZOOMED_SPACING) / this.unit}px` : "";
  }
}
