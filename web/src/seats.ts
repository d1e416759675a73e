// The seats of the players: side, colour, occupant, score and time.

import { el, fill, selectBox } from "./dom";
import { FRIEND, FULL, occupantOf, occupantTitle, onlyPerson, PERSON, sideOf, winnerOf } from "./names";
import type { Position } from "./protocol";
import type { Session } from "./session";

export const LEVELS = 8; // of the computer's play

interface SeatRow {
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
  private readonly rows = new Map<string, SeatRow>();

  /** `isFixed` disables the selection of occupants, as in a room. */
  constructor(
    private readonly session: Session,
    private readonly isFixed = false,
  ) {}

  show(position: Position, clock: (player: string) => string): void {
    const key = JSON.stringify([position.players, position.strategies]);
    if (key !== this.players) this.createRows(position);
    this.players = key;
    const { setup, result } = this.session;
    const winner = winnerOf(position, result);
    for (const [player, createRow] of this.rows) {
      const side = sideOf(position, player);
      const isMover = player === position.mover && winner === undefined && !position.chance;
      createRow.element.classList.toggle("mover", isMover);
      createRow.element.classList.toggle("winner", winner === player);
      createRow.name.textContent = winner === player ? `${side}, winner` : side;
      createRow.swatch.style.background = position.colours[side] ?? "transparent";
      createRow.select.setAttribute("aria-label", side);
      createRow.select.disabled = this.isFixed || Boolean(position.hides);
      createRow.select.value = occupantOf(setup, player);
      const isOnly = onlyPerson(position, setup) === player;
      createRow.select.options[0]!.textContent = occupantTitle(PERSON, isOnly);
      createRow.score.textContent = scoreText(position, player);
    }
    this.showTimes(clock);
  }

  /** Show the remaining times. */
  showTimes(clock: (player: string) => string): void {
    for (const [player, createRow] of this.rows) createRow.clock.textContent = clock(player);
  }

  private createRows({ players, strategies }: Position): void {
    this.rows.clear();
    for (const player of players) this.rows.set(player, this.createRow(player, strategies));
    fill(this.element, ...[...this.rows.values()].map(({ element }) => element));
  }

  private createRow(player: string, strategies: string[]): SeatRow {
    const select = selectBox(this.options(strategies), PERSON, (occupant) => {
      const { setup } = this.session;
      this.session.changeSetup({ ...setup, players: { ...setup.players, [player]: occupant } });
    });
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
      ...[PERSON, ...levels, FULL].map((occupant): [string, string] => [occupant, occupantTitle(occupant, false)]),
      ...strategies.map((name): [string, string] => [name, `strategy ${name}`]),
      ["random", occupantTitle("random", false)],
      ...(this.isFixed ? [[FRIEND, FRIEND] as [string, string]] : []),
    ];
  }
}

/** Return the score of a player in points; empty before the end if scores are counted only then. */
function scoreText({ scores, score_shown, point, outcome }: Position, player: string): string {
  const score = scores?.[player];
  const isHidden = score === undefined || (score_shown === "at_end" && !outcome);
  return isHidden ? "" : String(score / point);
}
