// The players: the side and the colour of each, who plays for it, its score and its time.

import { selectBox, el, fill } from "./dom";
import { FRIEND, FULL, onlyPerson, PERSON, occupantOf, sideOf, occupantTitle, winnerOf } from "./names";
import type { Position } from "./protocol";
import type { Session } from "./session";

export const LEVELS = 8; // of the computer's play

interface Strip {
  element: HTMLElement;
  name: HTMLElement;
  swatch: HTMLElement;
  select: HTMLSelectElement;
  score: HTMLElement;
  clock: HTMLElement;
}

export class Seats {
  readonly element = el("div", { class: "seats" });
  private players = "";
  private readonly strips = new Map<string, Strip>();

  /** Where players are fixed, they cannot be changed here. */
  constructor(
    private readonly session: Session,
    private readonly isFixed = false,
  ) {}

  show(position: Position, clock: (player: string) => string): void {
    const key = JSON.stringify([position.players, position.strategies]);
    if (key !== this.players) this.make(position);
    this.players = key;
    const { setup, result } = this.session;
    const winner = winnerOf(position, result);
    for (const [player, strip] of this.strips) {
      const side = sideOf(position, player);
      const isMover = player === position.mover && winner === undefined && !position.chance;
      strip.element.classList.toggle("mover", isMover);
      strip.element.classList.toggle("winner", winner === player);
      strip.name.textContent = winner === player ? `${side}, winner` : side;
      strip.swatch.style.background = position.colours[side] ?? "transparent";
      strip.select.setAttribute("aria-label", side);
      strip.select.value = occupantOf(setup, player);
      const isOnly = onlyPerson(position, setup) === player;
      strip.select.options[0]!.textContent = occupantTitle(PERSON, isOnly);
      strip.score.textContent = scoreText(position, player);
    }
    this.tick(clock);
  }

  /** Shows the time that is left. */
  tick(clock: (player: string) => string): void {
    for (const [player, strip] of this.strips) strip.clock.textContent = clock(player);
  }

  private make({ players, strategies }: Position): void {
    this.strips.clear();
    for (const player of players) this.strips.set(player, this.strip(player, strategies));
    fill(this.element, ...[...this.strips.values()].map(({ element }) => element));
  }

  private strip(player: string, strategies: string[]): Strip {
    const select = selectBox(this.options(strategies), PERSON, (who) => {
      const { setup } = this.session;
      this.session.changeSetup({ ...setup, players: { ...setup.players, [player]: who } });
    });
    select.disabled = this.isFixed;
    const swatch = el("span", { class: "swatch", "aria-hidden": "true" });
    const name = el("span", { class: "name" }, player);
    const score = el("span", { class: "score", title: "score" });
    const clock = el("span", { class: "clock", role: "timer", "aria-label": `time left, ${player}` });
    const element = el("div", { class: "seat" }, swatch, name, select, score, clock);
    return { element, name, swatch, select, score, clock };
  }

  private options(strategies: string[]): [string, string][] {
    const levels = Array.from({ length: LEVELS }, (_, at) => `search:level=${at + 1}`);
    return [
      ...[PERSON, ...levels, FULL].map((who): [string, string] => [who, occupantTitle(who, false)]),
      ...strategies.map((name): [string, string] => [name, `strategy ${name}`]),
      ["random", occupantTitle("random", false)],
      ...(this.isFixed ? [[FRIEND, FRIEND] as [string, string]] : []),
    ];
  }
}

/** The score of a player in points; empty where it is counted at the end and that is not yet. */
function scoreText({ scores, score_shown, point, outcome }: Position, player: string): string {
  const score = scores?.[player];
  const isHidden = score === undefined || (score_shown === "at_end" && !outcome);
  return isHidden ? "" : String(score / point);
}
