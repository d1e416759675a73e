// Conversion of kernel states into the positions that the views of the page show.

import type { Cell, Position } from "../protocol";
import { cellText } from "../views";
import type { Contents } from "./contents";
import type { Words } from "./kernels";
import type { Line, PositionNode } from "./line";
import { picture } from "./picture";
import { cellsOf, groupOf, stepsOf } from "./rules";
import type { Rules } from "./rules";

/** Return the position after some moves, or before the first illegal one with a problem. */
export function positionOf(rules: Rules, line: Line, moves: readonly string[]): Position {
  const { game } = rules;
  const nodes = line.follow(moves);
  const node = nodes.at(-1)!;
  const played = nodes.slice(0, -1).map((before, at) => playedMove(rules, before, moves[at]!));
  const pieces = rules.pieces(node.state);
  const numbers = game.numbers.map((one) => rules.numbersAt(node.state, one));
  const cells = cellsWithPieces(game, pieces, numbers);
  const mover = rules.mover(node.state);
  return {
    title: game.title,
    parameters: {},
    declared: [],
    players: game.players,
    sides: rules.sides(node.state),
    colours: game.colours,
    pieces: game.pieces,
    strategies: [],
    ply: played.length,
    mover,
    chance: node.weights.length > 0,
    moves: played,
    legal: node.moves.map((move, at) => ({
      text: node.texts[at]!,
      steps: steps(move),
      weight: node.weights[at] ?? 1,
      ...tileOf(rules, node.state, move),
    })),
    drops: game.drops,
    outcome: node.ending,
    decisive: [],
    scores: rules.scores(node.state),
    ...game.scores,
    description: [describe(mover, cells), ...describeStacks(game, cells, rules.under(node.state))].join("; "),
    drawing: {
      svg: drawPicture(rules, node.state, pieces, numbers, played.at(-1)),
      box: game.drawing.box,
      cells,
    },
    table: game.table,
    problem: problem(moves, played.length),
  };
}

/** Return the cells of the tile that a move covers as `covers`; empty for another move. */
function tileOf(rules: Rules, state: Words, move: Words): { covers?: number[] } {
  if (!rules.game.tile_groups.includes(groupOf(move))) return {};
  const before = new Set(rules.pieces(state).flat());
  const after = rules.pieces(rules.apply(state, move)).flat();
  return { covers: after.filter((cell) => !before.has(cell)).sort((one, other) => one - other) };
}

function playedMove(rules: Rules, node: PositionNode, text: string): Position["moves"][number] {
  const move = node.moves[node.texts.indexOf(text)]!;
  const player = node.weights.length ? "" : rules.mover(node.state);
  return { text, player, side: rules.moverSide(node.state), steps: steps(move) };
}

function drawPicture(
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
    lastCells: [...new Set(last?.steps.flat().filter((cell) => cell >= 0))],
  });
}

/** Return the cells with the names of the pieces and the numbers on them. */
function cellsWithPieces(game: Contents, occupied: number[][], numbers: number[][]): Cell[] {
  const { drawing, planes, pieces } = game;
  const result = drawing.cells.map((cell, at) => ({
    ...cell,
    piece: "",
    symbol: "",
    numbers: Object.fromEntries(game.numbers.map(({ name }, i) => [name, numbers[i]![at]!])),
  }));
  occupied.forEach((cells, at) => {
    for (const cell of cells) Object.assign(result[cell]!, pieces[planes[at]!]);
  });
  return result;
}

/** Return a description of a position for screen readers: the player to move and the pieces. */
function describe(mover: string, cells: Cell[]): string {
  const occupied = cells.filter(cellText);
  const pieces = occupied.map((cell) => `${cellText(cell)} on ${cell.name}`);
  return [`${mover} to move`, ...pieces].join("; ");
}

/** Return descriptions of the stacks of two and more pieces. */
function describeStacks({ pieces }: Contents, cells: Cell[], under: number[][]): string[] {
  return under.flatMap((planes, at) => {
    const { name, symbol } = cells[at]!;
    const column = [...planes.map((plane) => pieces[plane]!.symbol), symbol].join(" ");
    return planes.length ? [`stack on ${name}, from the bottom: ${column}`] : [];
  });
}

function problem(moves: readonly string[], played: number): Position["problem"] {
  if (played === moves.length) return null;
  const message = `\`${moves[played]}\` is not a legal move here`;
  return { ply: played + 1, message };
}

function steps(move: Words): [number, number][] {
  return stepsOf(move)
    .map(cellsOf)
    .filter(([from, to]) => Math.max(from, to) >= 0);
}
