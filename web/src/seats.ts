// Who plays for each player: people at this page, or players of the server.

import { choice, el, field, fill } from "./dom";
import type { Position } from "./protocol";

export const PERSON = "person";
const LEVELS = 8; // of the computer's play

export class Seats {
  readonly element = el("div", { class: "seats" });
  private players = "";
  private sitting: Record<string, string> = {};
  private readonly strips = new Map<string, HTMLElement>();


  constructor(private readonly changed: () => void) {}

  /** Who plays for a player: a person, or a player as the server names them. */
  of(player: string): string {
    return this.sitting[player] ?? PERSON;
  }

  show(position: Position, clock: (player: string) => string): void {
    const key = JSON.stringify([position.players, position.strategies]);
    if (key !== this.players) this.make(position);
    this.players = key;
    for (const [player, strip] of this.strips) {
      const isMover = player === position.mover && !position.outcome && !position.chance;
      strip.classList.toggle("mover", isMover);
      strip.querySelector(".score")!.textContent = String(position.scores?.[player] ?? "");
      strip.classList.toggle("winner", position.outcome?.winner === player);
    }
    this.tick(clock);
  }

  /** Shows the time that is left. */
  tick(clock: (player: string) => string): void {
    for (const [player, strip] of this.strips) {
      strip.querySelector(".clock")!.textContent = clock(player);
    }
  }

  private make({ players, strategies }: Position): void {
    this.strips.clear();
    for (const player of players) this.strips.set(player, this.strip(player, strategies));
    fill(this.element, ...this.strips.values());
  }

  private strip(player: string, strategies: string[]): HTMLElement {
    const seat = choice(this.options(strategies), this.of(player), (who) => {
      this.sitting[player] = who;
      this.changed();
    });
    return el(
      "div",
      { class: "seat" },
      field(player, seat),
      el("span", { class: "score", title: "score" }),
      el("span", { class: "clock", role: "timer", "aria-label": `time left, ${player}` }),
    );
  }

  private options(strategies: string[]): [string, string][] {
    const levels = Array.from({ length: LEVELS }, (_, at) => at + 1);
    return [
      [PERSON, "person"],
      ...levels.map((n): [string, string] => [`search:level=${n}`, `computer, level ${n}`]),
      ...strategies.map((name): [string, string] => [name, `strategy ${name}`]),
      ["random", "random moves"],
    ];
  }
}
