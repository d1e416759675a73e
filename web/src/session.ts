// The game that the page shows: its record, and how far of it is shown.

import type { GameRecord, Position, Variant } from "./protocol";

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

  /** Begins anew. */
  async restart(): Promise<void> {
    await this.replace({ ...this.record, moves: [] });
  }

  /** Begins another variant, at its own start. */
  async vary(variant: Variant): Promise<void> {
    await this.replace({ spec: this.record.spec, ...variant, moves: [] });
  }

  /** Shows another game, or the same by other rules; keeps this one where that is refused. */
  async replace(record: GameRecord, at = record.moves.length): Promise<void> {
    const [before, wasAt] = [this.record, this.at];
    this.record = record;
    try {
      await this.go(at);
    } catch (error) {
      if (this.record === record) [this.record, this.at] = [before, wasAt];
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
    for (const listener of this.listeners) listener(position);
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
