// The game that the page shows: its record, and how far of it is shown.

import type { GameRecord, LinkedGame, Position, Settlement, Setup, Variant } from "./protocol";

const KEPT = 200; // positions, so that stepping through a game asks nobody

/** Whether the reader's system wants dark surroundings. */
export function dark(): MediaQueryList {
  return matchMedia("(prefers-color-scheme: dark)");
}

/** Who tells what there is to see behind a record's moves. */
export type Look = (record: GameRecord, theme: "light" | "dark") => Promise<Position>;
type Listener = (shown: Position) => void;

/** A game, stepped through and played on; tells its listeners each position that it shows. */
export class Session {
  position: Position | null = null;
  /** The players and the clock. */
  setup: Setup = {};
  /** The result that the players have made, if any. */
  settled: Settlement | null = null;
  private readonly listeners = new Set<Listener>();
  private readonly known = new Map<string, Promise<Position>>();
  private turn = 0;

  constructor(
    public record: GameRecord,
    private readonly look: Look,
    public at: number = record.moves.length,
  ) {}

  listen(listener: Listener): void {
    this.listeners.add(listener);
  }

  get isAtEnd(): boolean {
    return this.at === this.record.moves.length;
  }

  /** The result that the players have made, where the last position is shown. */
  get result(): Settlement | null {
    return this.isAtEnd ? this.settled : null;
  }

  /** All that a link contains. */
  get linked(): LinkedGame {
    const { record, setup, settled } = this;
    const hasSetup = Object.keys(setup).length > 0;
    return { ...record, ...(hasSetup && { setup }), ...(settled && { settled }) };
  }

  /** The game as far as it is shown, as requests name it. */
  get shown(): GameRecord {
    return { ...this.record, moves: this.record.moves.slice(0, this.at) };
  }

  /** Shows the position behind so many moves. */
  async go(at: number): Promise<void> {
    this.at = Math.max(0, Math.min(at, this.record.moves.length));
    await this.refresh();
  }

  /** Plays a move: what came after the shown position gives way. */
  async play(move: string): Promise<void> {
    const { moves } = this.record;
    const before = this.position?.problem ? this.position.ply : this.at;
    if (moves[before] === move && !this.position?.problem) return this.go(before + 1);
    return this.replace({ ...this.record, moves: [...moves.slice(0, before), move] });
  }

  /** Begins again, with these players and this clock. */
  async restart(setup: Setup = this.setup): Promise<void> {
    await this.replace({ ...this.record, moves: [] });
    this.arrange(setup);
  }

  /** Changes the players or the clock. */
  arrange(setup: Setup): void {
    this.setup = setup;
    this.tell();
  }

  /** Ends the game by something else than its rules. */
  settle(settled: Settlement): void {
    this.settled = settled;
    this.tell();
  }

  /** Begins another variant, at its own start. */
  async vary(variant: Variant): Promise<void> {
    this.setup = {};
    await this.replace({ spec: this.record.spec, ...variant, moves: [] });
  }

  /** Shows another game, or the same by other rules; keeps this one where that is refused. */
  async replace(record: GameRecord, at = record.moves.length): Promise<void> {
    const [before, wasAt, settled] = [this.record, this.at, this.settled];
    this.record = record;
    this.settled = null;
    try {
      await this.go(at);
    } catch (error) {
      if (this.record === record) [this.record, this.at, this.settled] = [before, wasAt, settled];
      throw error;
    }
  }

  /** Asks for the shown position and tells it, unless another is wanted meanwhile. */
  async refresh(): Promise<void> {
    this.turn += 1;
    const { turn } = this;
    const position = await this.positionOf(this.shown);
    if (turn !== this.turn) return;
    this.position = position;
    this.tell();
  }

  private tell(): void {
    if (!this.position) return;
    for (const listener of this.listeners) listener(this.position);
  }

  private positionOf(record: GameRecord): Promise<Position> {
    const key = JSON.stringify([record, theme()]);
    const found = this.known.get(key) ?? this.look(record, theme());
    this.known.delete(key);
    this.known.set(key, found);
    found.catch(() => this.known.delete(key));
    if (this.known.size > KEPT) this.known.delete(this.known.keys().next().value!);
    return found;
  }
}

function theme(): "light" | "dark" {
  return dark().matches ? "dark" : "light";
}
