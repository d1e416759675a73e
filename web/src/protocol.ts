// What the server takes and gives, as docs/serve.md tells it.

export type Spec = { name: string } | { text: string };
export type Parameters = Record<string, Parameter>;

/** By which of its rules a game is played. */
export interface Variant {
  parameters: Parameters;
  with?: Transform[];
}

/** A game so far, all that a link holds. */
export interface GameRecord extends Variant {
  spec: Spec;
  start?: string;
  moves: string[];
}

/** The players, by the texts of players of the server, and the clock: part of a link. */
export interface Setup {
  players?: Record<string, string>;
  clock?: string;
  flipped?: boolean;
}

/** A result that is not by the rules: a resignation, a draw by agreement, a lapsed clock. */
export interface Settlement {
  kind: "resigned" | "agreed" | "time";
  player?: string;
}

/** All that a link contains. */
export interface LinkedGame extends GameRecord {
  setup?: Setup;
  settled?: Settlement;
}

export type Parameter = string | number | boolean;

/** A transform by its name, or its name with what it is given. */
export type Transform = string | Record<string, unknown>;

/** A transform that a form may offer: the numbers that it takes, and why it does not fit. */
export interface Offer {
  name: string;
  takes: Record<string, number>;
  refused: string;
}

/** A parameter with its choices, or with the ends of its range. */
export interface Declared {
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
  /** The kind of game, by which the gallery is divided. */
  group?: string;
  tags?: string[];
  /** Other names of the game. */
  aliases?: string[];
  players?: string[];
  board?: { shape: string; cells: number };
  parameters?: Declared[];
}

/** The bundled games; of those that the server has not looked at yet there is a name alone. */
export interface Catalogue {
  complete: boolean;
  games: GameEntry[];
}

/** A format of other programs, and the end of the names of its files. */
export interface Format {
  name: string;
  title: string;
  suffix: string;
}

/** From and to, as indices of cells; -1 is no cell. */
export type Step = [from: number, to: number];

export interface Legal {
  text: string;
  steps: Step[];
  weight: number;
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
  text?: string; // the winner, or the points of a single player
}

export interface Position {
  title: string;
  parameters: Parameters;
  declared: Declared[];
  players: string[];
  /** The side that each player plays: another one after a swap. */
  sides: Record<string, string>;
  /** The colour of each side's pieces. */
  colours: Record<string, string>;
  /** All pieces with their symbols; the last one is an empty cell. */
  pieces: { piece: string; symbol: string }[];
  strategies: string[];
  /** The formats of other programs that the game can be written in; none in exported files. */
  formats?: Format[];
  ply: number;
  mover: string;
  chance: boolean;
  /** The player of a chance event is null, or empty in exported files. */
  moves: { text: string; player: string | null; side: string; steps: Step[] }[];
  legal: Legal[];
  /** The lines of cells that determine a placement. */
  drops: "columns" | "rows" | "";
  outcome: Outcome | null;
  /** The cells of the pieces that decided the game. */
  decisive: number[];
  scores: Record<string, number> | null;
  /** When scores are shown, and how many units of them make a point. */
  score_shown: "always" | "at_end";
  point: number;
  /** True if the picture has dice of its own. */
  shows_dice: boolean;
  said: string;
  drawing: Drawing;
  table: { columns: string[]; rows: { label: string; cells: (number | null)[] }[] } | null;
  problem: { ply: number; message: string } | null;
}

/** A value seen from the player to move; `bar` goes from -1, lost, to 1, won. */
export interface Value {
  number: number;
  unit: string;
  text: string;
  /** A few characters, for a tag. */
  short: string;
  /** What the player does: `wins in 5 moves`, `is slightly better`. */
  said: string;
  bar: number;
}

export interface Found {
  done: boolean;
  move: string | null;
  value: Value | null;
  line: string[];
  depth: number | null;
  nodes: number;
  seconds: number;
  /** The legal moves, best first; `at_most` marks values that are only upper bounds. */
  moves: { text: string; steps: Step[]; value: Value; at_most: boolean }[];
}

/** What the games of a study have shown so far. */
export interface Studied {
  done: boolean;
  players: string[];
  games: number;
  total: number;
  numbers: [name: string, value: string][];
  lengths: [plies: string, games: number][];
  unused: string[];
  svg: string;
}

export interface Note {
  done: boolean;
  ply: number;
  player: string;
  move: string;
  before: Value;
  best: string;
  after: Value;
  turns: boolean;
}

/** What a seat of a room may know. */
export interface Observation {
  version: number;
  number: number;
  game: GameRecord;
  players: string[];
  you: string | null;
  seats: Record<string, { taken: boolean; present: boolean }>;
  spectators: number;
  moves: string[];
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
