"""The step of a batch, as drivers: make or reject an action in each game.

The result for a game depends on its record and its action alone, so that it is the same for any
distribution over threads. A finished game stays as it is, or restarts. See decision 050.
"""

from typing import TypeVar

from rulesengine.engine.drivers.batch.columns import column, kept_of, list_of, row_of
from rulesengine.engine.drivers.batch.layout import (
    ACTIONS,
    BEFORE,
    CAPACITY,
    COUNTS,
    DRAWN,
    FIRST_LINE,
    HALF,
    KEPT,
    KEPT_CHOICE,
    KEPT_WORD,
    NOTHING,
    PATH,
    PLAYERS,
    PLIES,
    RANDOM,
    REFUSED,
    RESTARTS,
    SINCE,
    SPAN,
    START,
    STATE,
    STOP_ACTION,
    TAKEN,
    UNCHANGED,
    WIDTH,
)
from rulesengine.engine.drivers.batch.memories import (
    GameRange,
    OutputMemories,
    StateMemories,
    StepMemories,
)
from rulesengine.engine.drivers.batch.outputs import scan_moves, show
from rulesengine.engine.drivers.batch.placements import cell_of, draw_placement
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


def step_games(game: BatchFunctions[S, M], games: GameRange, step: StepMemories) -> int:
    """Make a step of a range of games."""
    states = StateMemories(step.plan, step.lines, step.was)
    for number in range(games.first, games.end):
        poll(step.plan)
        store(step.plan, games.mark, number)
        store(step.shown, column(REFUSED, number, step.plan), 0)
        step_game(game, state_of(game, number, states), number, step)
    return games.end


def show_games(
    game: BatchFunctions[S, M], games: GameRange, states: StateMemories, shown: Memory
) -> int:
    """Write the outputs of a range of games from their records."""
    for number in range(games.first, games.end):
        poll(states.plan)
        store(states.plan, games.mark, number)
        at = number * load(states.plan, WIDTH)
        taken, plies = load(states.own, at + TAKEN), load(states.own, at + PLIES)
        state = state_of(game, number, states)
        show(game, state, number, taken, plies, OutputMemories(states.plan, states.own, shown))
    return games.end


def sample_games(
    game: BatchFunctions[S, M],
    games: GameRange,
    states: StateMemories,
    shown: Memory,
    actions: Memory,
) -> int:
    """Write the actions that a step would draw for a range of games."""
    for number in range(games.first, games.end):
        poll(states.plan)
        store(states.plan, games.mark, number)
        # `state_of`, inlined: a call would load the history even where nothing reads it.
        at = number * load(states.plan, WIDTH)
        since, before = load(states.own, at + SINCE), load(states.own, at + BEFORE)
        place, line = at + load(states.plan, STATE), line_of(number, states.lines)
        state = game.loaded(states.own, place, states.lines, line, since, before)
        random = load_word(states.own, at + RANDOM)
        store(actions, number, sampled(game, state, number, random, states.plan, shown))
    return games.end


def state_of(game: BatchFunctions[S, M], number: int, states: StateMemories) -> S:
    """Return the state of a game, after those positions of its history that may repeat."""
    at = number * load(states.plan, WIDTH)
    since, before = load(states.own, at + SINCE), load(states.own, at + BEFORE)
    place, line = at + load(states.plan, STATE), line_of(number, states.lines)
    return game.loaded(states.own, place, states.lines, line, since, before)


def line_of(number: int, lines: Memory) -> int:
    """Return the address of a game's history."""
    return FIRST_LINE + number * load(lines, SPAN) + load(lines, CAPACITY)


def sampled(
    game: BatchFunctions[S, M], state: S, number: int, random: Word, plan: Memory, shown: Memory
) -> int:
    """Return the action that a step would draw."""
    if load(shown, column(COUNTS, number, plan)) == 0:
        return NOTHING
    if game.places(state):
        _, action = draw_placement(game, state, number, random, DRAWN, plan, shown)
        return action
    _, place = draw_action(game, state, number, random, DRAWN, plan, shown)
    return load_half(shown, list_of(number, plan) + place * HALF)


def play_games(
    game: BatchFunctions[S, M],
    games: GameRange,
    states: StateMemories,
    totals: Memory,
    count: int,
    seed: Word,
) -> int:
    """Play `count` random games from each state of a range; add up the payoffs in `totals`.

    A partial move is restarted.
    """
    for number in range(games.first, games.end):
        store(states.plan, games.mark, number)
        state = state_of(game, number, states)
        play_from(game, state, number, count, seed, states.plan, totals)
    return games.end


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


def step_game(game: BatchFunctions[S, M], state: S, number: int, step: StepMemories) -> int:
    """Make a step of a game; return the address after its record."""
    at = number * load(step.plan, WIDTH)
    random, place, taken, refused = load_word(step.was, at + RANDOM), -1, 0, False
    action = load(step.actions, number)
    is_over = load(step.shown, column(COUNTS, number, step.plan)) == 0
    if not is_over and action != UNCHANGED:
        random, place = choose(game, state, number, random, action, step.plan, step.shown)
        refused = place < 0
    if refused:
        store(step.shown, column(REFUSED, number, step.plan), 1)
    if refused or action == UNCHANGED or (is_over and load(step.plan, RESTARTS) == 0):
        return copy_record(game, state, at, step.plan, step.was, step.now)
    known = kept_step(game, state, number, place, step) if not is_over else 0
    if not is_over and known == 0 and game.chains(state):
        action = load_half(step.shown, list_of(number, step.plan) + place * HALF)
        place, taken = apply_action(game, state, number, action, step)
    store_word(step.now, at + RANDOM, random)
    store(step.now, at + TAKEN, taken)
    return advance(game, state, number, is_over, place, known, step)


def advance(
    game: BatchFunctions[S, M],
    state: S,
    number: int,
    is_over: bool,
    place: int,
    known: int,
    step: StepMemories,
) -> int:
    """Restart a game, or make a stored step or the move at an index, if any.

    Return the address after the record of the game.
    """
    at = number * load(step.plan, WIDTH)
    plies, taken = load(step.was, at + PLIES), load(step.now, at + TAKEN)
    before, since = load(step.was, at + BEFORE), load(step.was, at + SINCE)
    if is_over:
        after = game.loaded(step.plan, load(step.plan, START), step.lines, 0, 0, 0)
        plies, before, since = 0, 0, 0
    elif taken > 0:
        after = state
    else:
        after = state_after(game, state, place, known, step.plan)
        plies += int(not game.is_free(state))
        before = game.noted(state, step.lines, line_of(number, step.lines), before)
        if game.reads_history(state) and game.lasting(after) != game.lasting(state):
            since = before
    store(step.now, at + PLIES, plies)
    store(step.now, at + BEFORE, before)
    store(step.now, at + SINCE, since)
    show(game, after, number, taken, plies, OutputMemories(step.plan, step.now, step.shown))
    return game.saved(after, step.now, at + load(step.plan, STATE))


def copy_record(
    game: BatchFunctions[S, M], state: S, at: int, plan: Memory, was: Memory, now: Memory
) -> int:
    """Copy the record of a game unchanged; return the address after it."""
    place = at + load(plan, STATE)
    for k in range(at, at + PATH + load(was, at + TAKEN)):
        store(now, k, load(was, k))
    return game.saved(state, now, place)


def choose(
    game: BatchFunctions[S, M],
    state: S,
    number: int,
    random: Word,
    action: int,
    plan: Memory,
    shown: Memory,
) -> tuple[Word, int]:
    """Return the generator's next state and the argument of `state_after` for an action."""
    if game.places(state):
        return draw_placement(game, state, number, random, action, plan, shown)
    return draw_action(game, state, number, random, action, plan, shown)


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
    if load_byte(shown, row_of(number, plan) + action) == 0:
        return -1
    actions, place = list_of(number, plan), 0
    while load_half(shown, actions + place * HALF) != action:
        place += 1
    return place


def kept_step(
    game: BatchFunctions[S, M], state: S, number: int, place: int, step: StepMemories
) -> int:
    """Return the stored step of the action at an index, 0 if there is none."""
    if game.places(state) or place >= load(step.plan, KEPT):
        return 0
    return load(step.shown, kept_of(number, step.plan) + place)


def state_after(game: BatchFunctions[S, M], state: S, place: int, known: int, plan: Memory) -> S:
    """Return the state after a stored step, or if it is 0 after the move at an index.

    In a game of placements the index is an action.
    """
    if game.places(state):
        return game.placed(state, cell_of(place, plan))
    if known != 0:
        return game.made(state, known & KEPT_WORD, (known >> KEPT_CHOICE) - 1)
    moves = game.legal(state)
    return game.apply(state, moves[place])


def apply_action(
    game: BatchFunctions[S, M], state: S, number: int, action: int, step: StepMemories
) -> tuple[int, int]:
    """Apply an action to a partial move: return the index of the move to make and 0, or -1 and the
    number of actions taken.

    A move is made if no other move continues from it, or if the action is `stop`.
    """
    at = number * load(step.plan, WIDTH)
    taken, path, stops = (
        load(step.was, at + TAKEN),
        at + PATH,
        action == load(step.plan, STOP_ACTION),
    )
    for k in range(taken):
        store(step.now, path + k, load(step.was, path + k))
    if not stops:
        store(step.now, path + taken, action)
        taken += 1
    outputs = OutputMemories(step.plan, step.now, step.shown)
    _count, complete, goes_on = scan_moves(game, state, number, taken, False, outputs)
    if goes_on and not stops:
        return -1, taken
    return complete, 0
