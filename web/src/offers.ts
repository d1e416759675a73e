// Offers of a draw, and short messages in a game. A person accepts or declines an offer; a computer
// accepts unless it is better.

import { button, el, fill } from "./dom";
import { occupantOf, PERSON, sideOf } from "./names";
import { announce } from "./notices";
import type { Position, Setup } from "./protocol";

const EVEN = 0.05; // the largest value, from -1 to 1, of an even position

export class Offers {
  readonly element = el("div", { class: "row offer-row", role: "status" });

  /** `evaluate` returns the value for the player to move, from -1 to 1; `onAgreed` ends the game. */
  constructor(
    private readonly evaluate: () => Promise<number>,
    private readonly onAgreed: () => void,
  ) {}

  /** Offer a draw on behalf of a player. */
  async offerDraw(position: Position, setup: Setup, player: string): Promise<void> {
    const others = position.players.filter((one) => one !== player);
    if (others.some((one) => occupantOf(setup, one) === PERSON)) return this.offerToPerson(position, player);
    const value = await this.evaluate();
    const isAccepted = player === position.mover ? value >= -EVEN : value <= EVEN;
    if (isAccepted) return this.onAgreed();
    this.showMessage("The computer declines: it is better.");
    return undefined;
  }

  close(): void {
    fill(this.element);
  }

  private offerToPerson(position: Position, player: string): void {
    const text = `${sideOf(position, player)} offers a draw.`;
    const accept = button("Accept", () => {
      this.close();
      this.onAgreed();
    });
    fill(this.element, el("span", {}, text), accept, button("Decline", () => this.close()));
    announce(text);
  }

  /** Show a message until the next position. */
  showMessage(text: string): void {
    fill(this.element, el("span", {}, text));
    announce(text);
  }
}
