// The game session of the page: its record, and the ply that is shown.

import type { GameRecord, LinkedGame, Position, Settlement, Setup, Variant } from "./protocol";

const CACHE_SIZE = 200; // positions; stepping through a game sends no requests

/** Return the media query for the dark colour scheme. */
export function darkScheme(): MediaQueryList {
  return matchMedia("(prefers-color-scheme: dark)");
}

/** A function that returns the position after the moves of a record. */
export type FetchPosition = (record: GameRecord, theme: "light" | "dark") => Promise<Position>;
type Listener = (shown: Position) => void;

/** A game with a shown position; listeners are called with each position that is shown. */
export class Session {
  position: Position | null = null;
  /** The players and the clock. */
  setup: Setup = {};
  /** The result by agreement, resignation or time, if any. */
  settled: Settlement | null = null;
  private readonly listeners = new Set<Listener>();
  private readonly cache = new Map<string, Promise<Position>>();
  private requestCount = 0;
  /** The rules and the moves that lead to the shown position, as texts. */
  private shownSpec = "";
  private shownMoves = "";
  /** The request for the position to show next, if it has not ended. */
  private request: Promise<void> | null = null;

  constructor(
    public record: GameRecord,
    private readonly fetchPosition: FetchPosition,
    public ply: number = record.moves.length,
  ) {}

  listen(listener: Listener): void {
    this.listeners.add(listener);
  }

  get isAtEnd(): boolean {
    return this.ply === this.record.moves.length;
  }

  /** True if earlier positions can be shown. */
  get canStep(): boolean {
    return true;
  }

  /** The result by agreement, resignation or time, if the last position is shown. */
  get result(): Settlement | null {
    return this.isAtEnd ? this.settled : null;
  }

  /** The contents of a link. */
  get linked(): LinkedGame {
    const { record, setup, settled } = this;
    const hasSetup = Object.keys(setup).length > 0;
    return { ...record, ...(hasSetup && { setup }), ...(settled && { settled }) };
  }

  /** The record up to the shown position. */
  get shownRecord(): GameRecord {
    return { ...this.record, moves: this.record.moves.slice(0, this.ply) };
  }

  /** Show the position at a ply. */
  async goTo(ply: number): Promise<void> {
    this.ply = Math.max(0, Math.min(ply, this.record.moves.length));
    await this.refresh();
  }

  /**
   * Play a move in the shown position; it replaces the later moves.
   *
   * If another position is requested at the time, wait for it. Then ignore the move if other moves
   * lead to that position, or if its spec was changed in the editor and forbids the move.
   */
  async play(move: string): Promise<void> {
    const { shownSpec, shownMoves } = this;
    // A loop: another move may be sent before this one continues.
    while (this.request) await this.ready();
    if (this.shownMoves !== shownMoves) return undefined;
    const isLegal = this.position?.legal.some(({ text }) => text === move);
    if (this.shownSpec !== shownSpec && !isLegal) return undefined;
    const { moves } = this.record;
    const before = this.position?.problem ? this.position.ply : this.ply;
    if (moves[before] === move && !this.position?.problem) return this.goTo(before + 1);
    return this.replace({ ...this.record, moves: [...moves.slice(0, before), move] });
  }

  /** Start a new game with the given players and clock. */
  async restart(setup: Setup = this.setup): Promise<void> {
    await this.replace({ ...this.record, moves: [] });
    this.changeSetup(setup);
  }

  /** Change the players, the clock or the orientation. */
  changeSetup(setup: Setup): void {
    this.setup = setup;
    this.emit();
  }

  /** End the game by agreement, resignation or time. */
  settle(settled: Settlement): void {
    this.settled = settled;
    this.emit();
  }

  /** Start a new game of another variant. */
  async startVariant(variant: Variant): Promise<void> {
    this.setup = {};
    await this.replace({ spec: this.record.spec, ...variant, moves: [] });
  }

  /** Show another record; restore the current one if that fails. */
  async replace(record: GameRecord, ply = record.moves.length): Promise<void> {
    const [before, plyBefore, settled] = [this.record, this.ply, this.settled];
    this.record = record;
    this.settled = null;
    try {
      await this.goTo(ply);
    } catch (error) {
      if (this.record === record) [this.record, this.ply, this.settled] = [before, plyBefore, settled];
      throw error;
    }
  }

  /** Wait until the requested position is shown, or its request has failed. */
  async ready(): Promise<void> {
    while (this.request) await this.request.catch(() => undefined);
  }

  /** Fetch the shown position and notify the listeners, unless a later request was made. */
  async refresh(): Promise<void> {
    const request = this.fetchShown();
    this.request = request;
    try {
      await request;
    } finally {
      if (this.request === request) this.request = null;
    }
  }

  private async fetchShown(): Promise<void> {
    this.requestCount += 1;
    const { requestCount } = this;
    const { shownRecord } = this;
    const position = await this.positionOf(shownRecord);
    if (requestCount !== this.requestCount) return;
    this.request = null;
    this.position = position;
    const { moves, ...rules } = shownRecord;
    [this.shownSpec, this.shownMoves] = [JSON.stringify(rules), JSON.stringify(moves)];
    this.emit();
  }

  protected emit(): void {
    if (!this.position) return;
    for (const listener of this.listeners) listener(this.position);
  }

  protected positionOf(record: GameRecord): Promise<Position> {
    const key = JSON.stringify([record, theme()]);
    const position = this.cache.get(key) ?? this.fetchPosition(record, theme());
    this.cache.delete(key);
    this.cache.set(key, position);
    position.catch(() => this.cache.delete(key));
    if (this.cache.size > CACHE_SIZE) this.cache.delete(this.cache.keys().next().value!);
    return position;
  }
}

export function theme(): "light" | "dark" {
  return darkScheme().matches ? "dark" : "light";
}
