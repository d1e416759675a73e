// Offers of a draw, and other short messages of a game: a person is asked, a computer accepts
// unless it is better.

import { button, el, fill } from "./dom";
import { PERSON, occupantOf, sideOf } from "./names";
import { announce } from "./notices";
import type { Position, Setup } from "./protocol";

const EVEN = 0.05; // the value, from -1 to 1, up to which a position counts as even

export class Offers {
  readonly element = el("div", { class: "row offer-row", role: "status" });

  /** `value` is that of a position for its mover, from -1 to 1; `agree` ends the game. */
  constructor(
    private readonly value: () => Promise<number>,
    private readonly agree: () => void,
  ) {}

  /** Offers a draw in the name of a player. */
  async draw(position: Position, setup: Setup, player: string): Promise<void> {
    const others = position.players.filter((one) => one !== player);
    if (others.some((one) => occupantOf(setup, one) === PERSON)) return this.ask(position, player);
    const gain = await this.value();
    const isAccepted = player === position.mover ? gain >= -EVEN : gain <= EVEN;
    if (isAccepted) return this.agree();
    this.tell("The computer declines: it is better.");
    return undefined;
  }

  close(): void {
    fill(this.element);
  }

  private ask(position: Position, player: string): void {
    const text = `${sideOf(position, player)} offers a draw.`;
    const accept = button("Accept", () => {
      this.close();
      this.agree();
    });
    fill(this.element, el("span", {}, text), accept, button("Decline", () => this.close()));
    announce(text);
  }

  /** Shows a sentence until the next position. */
  tell(text: string): void {
    fill(this.element, el("span", {}, text));
    announce(text);
  }
}
