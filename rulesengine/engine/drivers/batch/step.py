"""The step of a batch, as drivers: make or reject an action in each game.

The result for a game depends on its record and its action alone, so that it is the same for any
distribution over threads. A finished game stays as it is, or restarts. See decision 050.
"""

from typing import TypeVar

from rulesengine.engine.drivers.batch.layout import (
    ACTIONS,
    BEFORE,
    COUNTS,
    DRAWN,
    FIRST_LINE,
    HALF,
    MASKS,
    NOTHING,
    PATH,
    PLAYERS,
    PLIES,
    RANDOM,
    REFUSED,
    RESTARTS,
    SPAN,
    START,
    STATE,
    STOP_ACTION,
    STRIDE,
    TAKEN,
    UNCHANGED,
    WIDTH,
)
from rulesengine.engine.drivers.batch.outputs import column, list_of, scan_moves, show
from rulesengine.engine.drivers.memory import (
    Memory,
    Word,
    load,
    load_byte,
    load_half,
    load_word,
    poll,
    store,
    store_word,
)
from rulesengine.engine.drivers.playouts import play
from rulesengine.engine.drivers.protocol import BatchFunctions
from rulesengine.engine.drivers.random import draw

S = TypeVar("S")
M = TypeVar("M")


def step_games(
    game: BatchFunctions[S, M],
    first: int,
    end: int,
    mark: int,
    plan: Memory,
    lines: Memory,
    was: Memory,
    now: Memory,
    shown: Memory,
    given: Memory,
) -> int:
    """Make a step of a range of games; the current game is noted at `mark` of the plan."""
    for number in range(first, end):
        poll(plan)
        store(plan, mark, number)
        store(shown, column(REFUSED, number, plan), 0)
        state = state_of(game, number, plan, lines, was)
        step_game(game, state, number, plan, lines, was, now, shown, given)
    return end


def show_games(
    game: BatchFunctions[S, M],
    first: int,
    end: int,
    mark: int,
    plan: Memory,
    lines: Memory,
    own: Memory,
    shown: Memory,
) -> int:
    """Write the outputs of a range of games from their records."""
    for number in range(first, end):
        poll(plan)
        store(plan, mark, number)
        at = number * load(plan, WIDTH)
        state = state_of(game, number, plan, lines, own)
        show(game, state, number, load(own, at + TAKEN), load(own, at + PLIES), plan, own, shown)
    return end


def sample_games(
    game: BatchFunctions[S, M],
    first: int,
    end: int,
    mark: int,
    plan: Memory,
    lines: Memory,
    own: Memory,
    shown: Memory,
    given: Memory,
) -> int:
    """Write the actions that a step would draw for a range of games."""
    for number in range(first, end):
        poll(plan)
        store(plan, mark, number)
        # `state_of`, inlined: a call would rebuild the history even where nothing reads it.
        at, line = number * load(plan, WIDTH), line_of(number, lines)
        state = game.loaded(own, at + load(plan, STATE), lines, line, load(own, at + BEFORE))
        action = sampled(game, state, number, load_word(own, at + RANDOM), plan, shown)
        store(given, number, action)
    return end


def state_of(
    game: BatchFunctions[S, M], number: int, plan: Memory, lines: Memory, own: Memory
) -> S:
    """Return the state of a game, after the positions of its history that its record counts."""
    at, line = number * load(plan, WIDTH), line_of(number, lines)
    return game.loaded(own, at + load(plan, STATE), lines, line, load(own, at + BEFORE))


def line_of(number: int, lines: Memory) -> int:
    """Return the address of a game's history."""
    return FIRST_LINE + number * load(lines, SPAN)


def sampled(
    game: BatchFunctions[S, M], state: S, number: int, random: Word, plan: Memory, shown: Memory
) -> int:
    """Return the action that a step would draw."""
    if load(shown, column(COUNTS, number, plan)) == 0:
        return NOTHING
    _, place = draw_action(game, state, number, random, DRAWN, plan, shown)
    return load_half(shown, list_of(number, plan) + place * HALF)


def play_games(
    game: BatchFunctions[S, M],
    first: int,
    end: int,
    mark: int,
    plan: Memory,
    lines: Memory,
    own: Memory,
    totals: Memory,
    games: int,
    seed: Word,
) -> int:
    """Play random games from the states of a range of games; add up the payoffs in `totals`.

    A partial move is restarted.
    """
    for number in range(first, end):
        store(plan, mark, number)
        state = state_of(game, number, plan, lines, own)
        play_from(game, state, number, games, seed, plan, totals)
    return end


def play_from(
    game: BatchFunctions[S, M],
    state: S,
    number: int,
    games: int,
    seed: Word,
    plan: Memory,
    totals: Memory,
) -> int:
    """Play random games from one state, each with its own generator; return the number of plies."""
    players = load(plan, PLAYERS)
    at, plies = number * players, 0
    for player in range(players):
        store(totals, at + player, 0)
    for one in range(games):
        poll(plan)
        last, length = play(game, state, seed, number * games + one)
        plies += length
        for player in range(players):
            store(totals, at + player, load(totals, at + player) + game.payoff(last, player))
    return plies


def step_game(
    game: BatchFunctions[S, M],
    state: S,
    number: int,
    plan: Memory,
    lines: Memory,
    was: Memory,
    now: Memory,
    shown: Memory,
    given: Memory,
) -> int:
    """Make a step of a game; return the address after its record."""
    at = number * load(plan, WIDTH)
    random, place, taken, refused = load_word(was, at + RANDOM), -1, 0, False
    action = load(given, number)
    is_over = load(shown, column(COUNTS, number, plan)) == 0
    if not is_over and action != UNCHANGED:
        random, place = draw_action(game, state, number, random, action, plan, shown)
        refused = place < 0
    if refused:
        store(shown, column(REFUSED, number, plan), 1)
    if refused or action == UNCHANGED or (is_over and load(plan, RESTARTS) == 0):
        return copy_record(game, state, at, plan, was, now)
    if not is_over and game.chains(state):
        action = load_half(shown, list_of(number, plan) + place * HALF)
        place, taken = apply_action(game, state, number, action, plan, was, now, shown)
    store_word(now, at + RANDOM, random)
    store(now, at + TAKEN, taken)
    return advance(game, state, number, is_over, place, plan, lines, was, now, shown)


def advance(
    game: BatchFunctions[S, M],
    state: S,
    number: int,
    is_over: bool,
    place: int,
    plan: Memory,
    lines: Memory,
    was: Memory,
    now: Memory,
    shown: Memory,
) -> int:
    """Restart a game, or make the move at an index, if any; return the address after its record."""
    at = number * load(plan, WIDTH)
    plies, taken, before = load(was, at + PLIES), load(now, at + TAKEN), load(was, at + BEFORE)
    if is_over:
        after, plies, before = game.loaded(plan, load(plan, START), lines, 0, 0), 0, 0
    elif taken > 0:
        after = state
    else:
        after = state_after(game, state, place)
        plies += int(not game.is_free(state))
        before = game.noted(state, lines, line_of(number, lines), before)
    store(now, at + PLIES, plies)
    store(now, at + BEFORE, before)
    show(game, after, number, taken, plies, plan, now, shown)
    return game.saved(after, now, at + load(plan, STATE))


def copy_record(
    game: BatchFunctions[S, M], state: S, at: int, plan: Memory, was: Memory, now: Memory
) -> int:
    """Copy the record of a game unchanged; return the address after it."""
    place = at + load(plan, STATE)
    for k in range(at, at + PATH + load(was, at + TAKEN)):
        store(now, k, load(was, k))
    return game.saved(state, now, place)


def draw_action(
    game: BatchFunctions[S, M],
    state: S,
    number: int,
    random: Word,
    action: int,
    plan: Memory,
    shown: Memory,
) -> tuple[Word, int]:
    """Return the generator's next state and the index of an action.

    The next state is the same for all actions. The index is a place in the list, -1 for an illegal
    action. A chance move is drawn by its weights.
    """
    count = load(shown, column(COUNTS, number, plan))
    weight = game.weight(state)
    random, drawn = draw(random, weight if weight > 0 else count)
    if weight > 0 and action < 0:
        return random, game.branch(state, drawn)
    if action == DRAWN:
        return random, drawn
    return random, place_of(action, number, count, plan, shown)


def place_of(action: int, number: int, count: int, plan: Memory, shown: Memory) -> int:
    """Return the index of an action in the list of a game, -1 if it is absent."""
    if action < 0 or action >= load(plan, ACTIONS):
        return -1
    if load_byte(shown, load(plan, MASKS) + number * load(plan, STRIDE) + action) == 0:
        return -1
    actions, place = list_of(number, plan), 0
    while load_half(shown, actions + place * HALF) != action:
        place += 1
    return place


def state_after(game: BatchFunctions[S, M], state: S, place: int) -> S:
    """Return the state after the move at an index."""
    moves = game.legal(state)
    return game.apply(state, moves[place])


def apply_action(
    game: BatchFunctions[S, M],
    state: S,
    number: int,
    action: int,
    plan: Memory,
    was: Memory,
    now: Memory,
    shown: Memory,
) -> tuple[int, int]:
    """Apply an action to a partial move: return the index of the move to make and 0, or -1 and the
    number of actions taken.

    A move is made if no other move continues from it, or if the action is `stop`.
    """
    at = number * load(plan, WIDTH)
    taken, path, stops = load(was, at + TAKEN), at + PATH, action == load(plan, STOP_ACTION)
    for k in range(taken):
        store(now, path + k, load(was, path + k))
    if not stops:
        store(now, path + taken, action)
        taken += 1
    _count, whole, goes_on = scan_moves(game, state, number, taken, False, plan, now, shown)
    if goes_on and not stops:
        return -1, taken
    return whole, 0
