// Positions as the views of the page take them.

import type { Cell, Position } from "../protocol";
import { standingOn } from "../views";
import type { Contents } from "./contents";
import { picture } from "./drawing";
import type { Words } from "./kernels";
import type { Line, Place } from "./line";
import { cellsOf, stepsOf } from "./rules";
import type { Rules } from "./rules";

/** What there is to see behind some moves. */
export function position(rules: Rules, line: Line, moves: readonly string[]): Position {
  const { game } = rules;
  const places = line.to(moves);
  const here = places.at(-1)!;
  const played = places.slice(0, -1).map((place, at) => made(rules, place, moves[at]!));
  const pieces = rules.pieces(here.state);
  const numbers = game.numbers.map((one) => rules.numbersAt(here.state, one));
  const cells = named(game, pieces, numbers);
  const mover = rules.mover(here.state);
  return {
    title: game.title,
    parameters: {},
    declared: [],
    players: game.players,
    sides: rules.sides(here.state),
    colours: game.colours,
    pieces: game.pieces,
    strategies: [],
    ply: played.length,
    mover,
    chance: here.weights.length > 0,
    moves: played,
    legal: here.moves.map((move, at) => ({
      text: here.texts[at]!,
      steps: steps(move),
      weight: here.weights[at] ?? 1,
    })),
    drops: game.drops,
    outcome: here.ending,
    decisive: [],
    scores: rules.scores(here.state),
    ...game.scores,
    said: [described(mover, cells), ...stacks(game, cells, rules.under(here.state))].join("; "),
    drawing: {
      svg: drawn(rules, here.state, pieces, numbers, played.at(-1)),
      box: game.drawing.box,
      cells,
    },
    table: game.table,
    problem: problem(moves, played.length),
  };
}

function made(rules: Rules, place: Place, text: string): Position["moves"][number] {
  const move = place.moves[place.texts.indexOf(text)]!;
  const player = place.weights.length ? "" : rules.mover(place.state);
  return { text, player, side: rules.moverSide(place.state), steps: steps(move) };
}

function drawn(
  rules: Rules,
  state: Words,
  pieces: number[][],
  numbers: number[][],
  last: Position["moves"][number] | undefined,
): string {
  const { game } = rules;
  const { counters, tray } = game.drawing;
  const places = counters.map(({ first }) => game.numbers.findIndex((one) => one.first === first));
  return picture(game, {
    pieces,
    under: rules.under(state),
    numbers: places.map((at) => numbers[at]!),
    registers: tray.map(({ slot }) => rules.register(state, slot)),
    last: [...new Set(last?.steps.flat().filter((cell) => cell >= 0))],
  });
}

/** The cells with what stands on them in words. */
function named(game: Contents, standing: number[][], numbers: number[][]): Cell[] {
  const { drawing, kept, pieces } = game;
  const found = drawing.cells.map((cell, at) => ({
    ...cell,
    piece: "",
    symbol: "",
    numbers: Object.fromEntries(game.numbers.map(({ name }, i) => [name, numbers[i]![at]!])),
  }));
  standing.forEach((cells, at) => {
    for (const cell of cells) Object.assign(found[cell]!, pieces[kept[at]!]);
  });
  return found;
}

/** Who is to move, and what stands where, for those who do not see the picture. */
function described(mover: string, cells: Cell[]): string {
  const taken = cells.filter(standingOn);
  const told = taken.map((cell) => `${standingOn(cell)} on ${cell.name}`);
  return [`${mover} to move`, ...told].join("; ");
}

/** The stacks of two pieces and more in words. */
function stacks({ pieces }: Contents, cells: Cell[], under: number[][]): string[] {
  return under.flatMap((planes, at) => {
    const { name, symbol } = cells[at]!;
    const column = [...planes.map((plane) => pieces[plane]!.symbol), symbol].join(" ");
    return planes.length ? [`stack on ${name}, from the bottom: ${column}`] : [];
  });
}

function problem(moves: readonly string[], played: number): Position["problem"] {
  if (played === moves.length) return null;
  const message = `\`${moves[played]}\` is no legal move here`;
  return { ply: played + 1, message };
}

function steps(move: Words): [number, number][] {
  return stepsOf(move)
    .map(cellsOf)
    .filter(([from, to]) => Math.max(from, to) >= 0);
}
