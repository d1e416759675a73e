"""Functions that are no drivers; the faulty line ends with its error message."""

from dataclasses import dataclass
from typing import Any, TypeVar

from rulesengine.engine.drivers.memory import Word
from rulesengine.engine.drivers.protocol import Functions, SearchFunctions
from rulesengine.engine.drivers.random import word
from rulesengine.support.frozen import record
from tests.helpers.driver_examples import Bounds, span, summed

S = TypeVar("S")
M = TypeVar("M")


@record
class Other:
    low: int
    high: int
    is_open: bool


@dataclass
class Mutable:
    low: int


def a_record_of_another_class(a: int) -> int:
    other = Other(a, a, True)
    return span(other)  # type: ignore[arg-type]  # expected a record of the class `Bounds`


def a_field_that_is_none(bounds: Bounds) -> int:
    return bounds.middle  # type: ignore[attr-defined, no-any-return]  # `bounds.middle` is no field, or may hold nothing here


def a_name_of_a_record(bounds: Bounds) -> int:
    low = bounds.low
    bounds = low  # type: ignore[assignment]  # `bounds` holds values of two kinds
    return low


def a_record_of_a_branch(a: int) -> int:
    if a > 0:
        bounds = Bounds(0, a, True)
    return bounds.low  # `bounds.low` is no field, or may hold nothing here


def a_record_that_changes(mutable: Mutable) -> int:  # a driver takes and gives no Mutable
    return mutable.low


def a_match(a: int) -> int:
    match a:  # Match is no statement of a driver
        case _:
            return 1


def a_comprehension(a: int) -> int:
    found = [i * i for i in range(a)]  # ListComp is no expression of a driver
    return found[0]


def a_closure(a: int) -> int:
    def inner() -> int:  # FunctionDef is no statement of a driver
        return a

    return inner()


def a_function_inside(a: int) -> int:
    return max(a, key=lambda n: n)  # type: ignore[call-overload, no-any-return]  # expected 2 arguments by their places


def a_flag_that_is_not_known(a: int) -> int:
    return summed(a, a > 1, a)  # `twice` is written as True or False


def a_float(a: int) -> int:
    return int(a > 0.5)  # Constant is no expression of a driver


def a_text(a: int) -> bool:
    return a == "a"  # type: ignore[comparison-overlap]  # Constant is no expression of a driver


def a_division(a: int) -> int:
    return a / 2  # type: ignore[return-value]  # drivers have no Div


def a_power(a: int) -> int:
    return int(a**2)  # drivers have no Pow


def an_inversion(a: int) -> int:
    return ~a  # UnaryOp is no expression of a driver


def a_chain(a: int) -> bool:
    return 0 < a < 5  # a driver compares two numbers or flags


def words_compared(a: int) -> bool:
    return word(a) == word(3)  # expected a number, found a word


def words_added(a: Word) -> Word:
    return a + a  # expected a number, found a word


def a_number_as_a_word(a: int) -> Word:
    return a  # expected a word, found a number


def a_number_as_a_flag(a: int) -> int:
    if a:  # expected a flag, found a number
        return 1
    return 0


def a_large_number(a: int) -> int:
    return a + 0x8000000000000000  # a number of more than 64 bits


def a_default(a: int = 3) -> int:  # `a_default` has more than plain parameters
    return a


def no_annotation(a):  # type: ignore[no-untyped-def]  # `no_annotation` is not annotated
    return a


def a_list_of_numbers(a: list[int]) -> int:  # a driver takes and gives no list[int]
    return len(a)


def states(game: Functions[S, M], a: S, b: S) -> int:  # a driver takes a game first and one state
    return game.winner(a) + game.winner(b)


def no_result(a: int) -> int:  # type: ignore[return]  # noqa: RET503  # `no_result` may end without a result
    while a > 0:
        return 3


def nothing_returned(a: int) -> int:
    if a > 0:
        return  # type: ignore[return-value]  # noqa: RET502  # Return is no statement of a driver
    return 0


def too_few_results(a: int) -> tuple[int, int]:
    return a  # type: ignore[return-value]  # expected 2 results, as the annotation says


def a_name_that_may_hold_nothing(a: int) -> int:
    if a > 0:
        b = 3
    return b  # `b` may hold nothing here, or moves of an old state


def a_name_after_a_loop(a: int) -> int:
    for i in range(a):
        a += i
    return i  # `i` may hold nothing here, or moves of an old state


def an_unknown_name(a: int) -> int:
    return max(a, unknown)  # type: ignore[name-defined, no-any-return]  # noqa: F821  # `unknown` is no name of this driver and no constant


def two_kinds(a: int) -> int:
    b = a
    b = a > 0  # `b` holds values of two kinds
    return int(b)


def an_annotated_name(a: int) -> int:
    b: int = a  # AnnAssign is no statement of a driver
    return b


def an_attribute(a: int) -> int:
    return a.real  # Attribute is no expression of a driver


def a_method(a: int) -> int:
    return a.bit_count()  # `a` is no game


def a_keyword(a: int) -> int:
    return no_keywords(a=a)  # expected 1 arguments by their places


def no_keywords(a: int) -> int:
    return a


def a_class(a: int) -> Any:  # a driver takes and gives no Any
    return Functions


def a_value_unused(a: int) -> int:
    max(a, 1)  # `max` changes nothing
    return a


def an_else_of_a_loop(a: int) -> int:
    while a > 3:  # While is no statement of a driver
        a -= 1
    else:
        a = 5
    return a


def a_loop_over_a_tuple() -> int:
    for i in (1, 2):  # a loop goes over a range or over moves
        return i
    return 0


def steps_of_a_range(a: int) -> int:
    for i in range(0, a, 2):  # a loop goes over a range or over moves
        return i
    return 0


def moves_in_a_loop_head(game: Functions[S, M], state: S) -> int:
    for _ in game.legal(state):  # a loop goes over a range or over moves
        return 1
    return 0


def moves_in_an_expression(game: Functions[S, M], state: S) -> int:
    return len(game.legal(state))  # `legal` is no operation of an expression


def a_decision(game: Functions[S, M], state: S) -> int:
    return int(game.decide(state) == 1)  # `decide` is no operation of an expression


def moves_of_a_branch(game: Functions[S, M], state: S, a: int) -> int:
    if a > 0:
        moves = game.legal(state)
    return len(moves)  # `moves` may hold nothing here, or moves of an old state


def moves_of_an_old_state(game: Functions[S, M], state: S) -> int:
    moves = game.legal(state)
    state = game.apply(state, moves[0])
    return len(moves)  # `moves` may hold nothing here, or moves of an old state


def moves_of_the_last_round(game: Functions[S, M], state: S, a: int) -> int:
    moves = game.legal(state)
    after = game.apply(state, moves[0])
    for _ in range(3):
        a += len(moves)  # `moves` may hold nothing here, or moves of an old state
        moves = game.legal(after)
    return a


def moves_of_a_way_not_taken(game: Functions[S, M], state: S, a: int) -> int:
    moves = game.legal(state)
    after = game.apply(state, moves[0])
    if a > 3:
        moves = game.legal(after)
        return len(moves)
    return game.winner(game.apply(after, moves[0]))  # this is no move of that state


def moves_of_another_state(game: Functions[S, M], state: S) -> int:
    moves = game.legal(state)
    after = game.apply(state, moves[0])
    return game.winner(game.apply(after, moves[0]))  # this is no move of that state


def a_state_that_changes(game: Functions[S, M], state: S) -> int:
    moves = game.legal(state)
    for move in moves:  # the state changes while its moves are gone through
        state = game.apply(state, move)
    return game.winner(state)


def moves_by_another_name(game: Functions[S, M], state: S) -> int:
    moves = game.legal(state)
    again = moves  # games and moves keep their names
    return len(again)


def a_pass_by_number(game: Functions[S, M], state: S) -> bool:
    moves = game.legal(state)
    return game.is_pass(moves[0])  # `is_pass` applies to the move of a loop only


def an_answer_by_number(game: SearchFunctions[S, M], state: S) -> bool:
    moves = game.legal(state)
    return game.parries(state, moves[0])  # `parries` applies to the move of a loop only


def lines(game: Functions[S, M], start: S, a: int) -> int:  # two lines of play: one and other
    one, other = start, start
    for _ in range(a):
        moves = game.legal(one)
        one = game.apply(one, moves[0])
        replies = game.legal(other)
        other = game.apply(other, replies[0])
    return game.winner(one)


def aside(game: Functions[S, M], start: S, a: int) -> int:  # a line of play in addition to `state`
    state = start
    for _ in range(a):
        moves = game.legal(state)
        state = game.apply(state, moves[0])
        a += aside(game, start, a - 1)
    return game.winner(state) + a
