// The requests and responses of the server, as docs/serve.md describes them.

export type Spec = { name: string } | { text: string };
export type Parameters = Record<string, Parameter>;

/** The parameters and transforms of a game. */
export interface Variant {
  parameters: Parameters;
  with?: Transform[];
}

/** A game with its moves so far. */
export interface GameRecord extends Variant {
  spec: Spec;
  start?: string;
  moves: string[];
}

/** The occupants of seats, in the terms of the server, and the clock. */
export interface Setup {
  players?: Record<string, string>;
  clock?: string;
  flipped?: boolean;
}

/** A result that does not follow from the rules: a resignation, a draw by agreement, a loss on time. */
export interface Settlement {
  kind: "resigned" | "agreed" | "time";
  player?: string;
}

/** The contents of a link. */
export interface LinkedGame extends GameRecord {
  setup?: Setup;
  settled?: Settlement;
}

export type Parameter = string | number | boolean;

/** The name of a transform, or its name with its arguments. */
export type Transform = string | Record<string, unknown>;

/** A transform with its numeric arguments, and the reason if it does not apply. */
export interface TransformOption {
  name: string;
  takes: Record<string, number>;
  refused: string;
}

/** A parameter with its choices or its range. */
export interface ParameterDeclaration {
  name: string;
  choices?: Parameter[];
  from?: number;
  to?: number;
  step?: number;
  default: Parameter;
}

export interface GameEntry {
  name: string;
  title: string;
  text: string;
  summary?: string;
  /** The section of the gallery. */
  group?: string;
  tags?: string[];
  /** Other names of the game. */
  aliases?: string[];
  players?: string[];
  board?: { shape: string; cells: number };
  parameters?: ParameterDeclaration[];
}

/** The bundled games; those that are not computed yet have only a name and a title. */
export interface Catalogue {
  complete: boolean;
  games: GameEntry[];
}

/** A file format of other programs. */
export interface Format {
  name: string;
  title: string;
  suffix: string;
}

/** The origin and the target of a step, as indices of cells; -1 is no cell. */
export type Step = [from: number, to: number];

export interface LegalMove {
  text: string;
  steps: Step[];
  weight: number;
  /** The cells of the tile that the move covers. */
  covers?: number[];
}

export interface Cell {
  name: string;
  at: [number, number];
  outline: [number, number][];
  piece: string;
  symbol: string;
  numbers: Record<string, number>;
}

export interface Drawing {
  svg: string;
  box: [number, number, number, number];
  cells: Cell[];
}

export interface Outcome {
  winner: string | null;
  reason: string;
  /** The result of a single player. */
  text?: string;
}

export interface Position {
  title: string;
  parameters: Parameters;
  declared: ParameterDeclaration[];
  players: string[];
  /** The side that each player plays: another one after a swap. */
  sides: Record<string, string>;
  /** The colour of each side's pieces. */
  colours: Record<string, string>;
  /** All pieces with their symbols; the last one is an empty cell. */
  pieces: { piece: string; symbol: string }[];
  strategies: string[];
  /** The formats of other programs for this game; absent in exported files. */
  formats?: Format[];
  ply: number;
  mover: string;
  chance: boolean;
  /** The player of a chance event is null, or empty in exported files. */
  moves: { text: string; player: string | null; side: string; steps: Step[] }[];
  legal: LegalMove[];
  /** The lines of cells that determine a placement. */
  drops: "columns" | "rows" | "";
  outcome: Outcome | null;
  /** The cells of the pieces that decided the game. */
  decisive: number[];
  scores: Record<string, number> | null;
  /** The time at which scores are shown. */
  score_shown: "always" | "at_end";
  /** The number of units in a point. */
  point: number;
  /** True if the picture contains the dice. */
  shows_dice: boolean;
  description: string;
  drawing: Drawing;
  table: { columns: string[]; rows: { label: string; cells: (number | null)[] }[] } | null;
  problem: { ply: number; message: string } | null;
  /** The hidden parts of the game in words; empty if nothing is hidden. */
  hides?: string;
  /** The player that sees this view, null for a spectator; absent in a complete position. */
  viewer?: string | null;
  /** The key of the information state of the viewer. */
  knowledge?: string;
  /** The names and values of the registers that the viewer sees. */
  registers?: [string, string][];
}

/** A value for the player to move; `bar` ranges from -1 (lost) to 1 (won). */
export interface Value {
  number: number;
  unit: string;
  text: string;
  /** A tag of a few characters. */
  short: string;
  /** A predicate of the player: `wins in 5 moves`, `is slightly better`. */
  description: string;
  bar: number;
}

export interface SearchResult {
  done: boolean;
  move: string | null;
  value: Value | null;
  line: string[];
  depth: number | null;
  nodes: number;
  seconds: number;
  /** The legal moves, best first; `at_most` marks upper bounds. */
  moves: { text: string; steps: Step[]; value: Value; at_most: boolean }[];
}

/** The results of a study so far. */
export interface StudyProgress {
  done: boolean;
  players: string[];
  games: number;
  total: number;
  numbers: [name: string, value: string][];
  lengths: [plies: string, games: number][];
  unused: string[];
  svg: string;
}

export interface MoveAnnotation {
  done: boolean;
  ply: number;
  player: string;
  move: string;
  before: Value;
  best: string;
  after: Value;
  turns: boolean;
}

/** The state of a room as a seat may see it. */
export interface Observation {
  number: number;
  game: GameRecord;
  players: string[];
  you: string | null;
  /** The players of this device. */
  own: string[];
  /** The computer players by seat. */
  computers: Record<string, string>;
  seats: Record<string, { taken: boolean; present: boolean }>;
  spectators: number;
  /** Null before the end of a game that hides something. */
  moves: string[] | null;
  /** The keys of the information states of the players of this device; a spectator has an empty name. */
  knowledge: Record<string, string>;
  mover: string;
  settled: Settlement | null;
  offer: { kind: string; player: string } | null;
  clock: { left: Record<string, number>; running: string | null } | null;
}

export interface Fix {
  from: number;
  to: number;
  text: string;
}

export interface Finding {
  code: string;
  severity: "error" | "warning";
  message: string;
  help: string;
  label: string;
  from: number | null;
  to: number | null;
  line: number;
  column: number;
  file: string;
  fix: Fix | null;
  text: string;
}

export interface Rules {
  title: string;
  sections: { heading: string; parts: (string | string[])[] }[];
}

export interface Completion {
  from: number;
  items: { label: string; kind: string; detail: string; write: string }[];
}

export interface TestReport {
  passed: number;
  failed: { name: string; line: number; differences: string[] }[];
}

/** A game of a text with several. */
export interface ListedGame {
  number: number;
  players: string[];
  result: string;
}

export interface ReadRecord {
  games: ListedGame[];
  spec: Spec | null;
  parameters: Parameters;
  start: string;
  moves: string[];
  settled: Settlement | null;
  problems: string[];
}
