"""The rules for the players who take part, which may depend on parameters.

Players who do not take part have no turn, no pieces and no registers. See decision 040.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from rulesengine.board.topology import Topology
from rulesengine.language.ir.constants import NotConstant
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import is_by_side, is_constant
from rulesengine.language.ir.rules import Kind, Player, Rules, Statement, rewrite
from rulesengine.language.ir.static_values import StaticEvaluator
from rulesengine.language.lower.problem import LoweringError
from rulesengine.support.frozen import replace

_NO_PLAYER = -1
_EMPTY = "-1"
# Statements with pairs of a symbol and a plane as words, and the number of words before them.
_BOARDS = MappingProxyType({"read_board": 0, "read_symbols": 0, "read_whole_board": 2})


def with_seats(rules: Rules, board: Topology, parameters: Mapping[str, int | str]) -> Rules:
    """Return the rules without the players who do not take part; raises LoweringError."""
    if all(player.plays is None for player in rules.players):
        return rules
    seats = [i for i, p in enumerate(rules.players) if _plays(p, rules, board, parameters)]
    if not seats:
        raise LoweringError(-1, "wrong-count", "no player takes part", key="players")
    return _SeatRenumbering(rules, seats).rules()


def _plays(
    player: Player, rules: Rules, board: Topology, parameters: Mapping[str, int | str]
) -> bool:
    if player.plays is None:
        return True
    names = [p.name for p in rules.players]
    chosen = [p.name for p in rules.parameters if p.type == "side"]
    sides = {name: names.index(str(parameters[name])) for name in chosen}
    try:
        return bool(StaticEvaluator(board, {**parameters, **sides}).value(player.plays))
    except NotConstant as error:
        message = f"whether `{player.name}` takes part is not known: {error}"
        raise LoweringError(-1, "not-constant", message, key="players") from None


class _SeatRenumbering:
    """A pass that renumbers the players, and the tables that are indexed by them."""

    def __init__(self, rules: Rules, seats: list[int]) -> None:
        self.old = rules
        self.count = len(rules.players)
        self.seats = seats
        places = {old: new for new, old in enumerate(seats)}
        self.sides = {_NO_PLAYER: _NO_PLAYER, self.count: len(seats), **places}
        self._memo: dict[int, tuple[Op, Op]] = {}

    def rules(self) -> Rules:
        old = self.old
        rules = rewrite(replace(old, players=()), self._change)
        return replace(
            rules,
            players=tuple(replace(old.players[i], plays=None) for i in self.seats),
            kinds=tuple(map(self._kind, old.kinds)),
            script=tuple(map(self._statement, rules.script)),
        )

    def _change(self, op: Op) -> Op:
        """Return an operation with players renumbered; shared operations stay shared."""
        if id(op) not in self._memo:
            args = tuple(map(self._change, op.args))
            value = op.value
            if op.type == "side" and is_constant(op):
                value = self._side(int(str(op.value)))
            if is_by_side(op):
                values = args[1:]
                args = (args[0], *(values[i] for i in self.seats), *values[self.count :])
            self._memo[id(op)] = op, Op(op.name, op.type, args, value)
        return self._memo[id(op)][1]

    def _side(self, old: int) -> int:
        return self.sides.get(old, _NO_PLAYER)

    def _kind(self, kind: Kind) -> Kind:
        symbols = (*(kind.symbols[i] for i in self.seats), kind.symbols[-1])
        return replace(kind, symbols=symbols)

    def _statement(self, statement: Statement) -> Statement:
        """Return a script statement with the players and planes in its words renumbered."""
        words, name = statement.words, statement.name
        if name == "read_mover":
            words = _renumbered(words, self._side)
        elif name in _BOARDS:
            first = _BOARDS[name]
            words = (*words[:first], *_renumbered(words[first:], self._plane))
        body = tuple(map(self._statement, statement.body))
        otherwise = tuple(map(self._statement, statement.otherwise))
        return replace(statement, words=words, body=body, otherwise=otherwise)

    def _plane(self, old: int) -> int:
        kind, side = divmod(old, self.count + 1)
        new = self._side(side)
        return _NO_PLAYER if new == _NO_PLAYER else kind * (len(self.seats) + 1) + new


def _renumbered(words: tuple[str, ...], change: Callable[[int], int]) -> tuple[str, ...]:
    """Return pairs of a word and a number, without those of players who do not take part."""
    names: list[str] = []
    for word, number in zip(words[::2], words[1::2], strict=True):
        new = number if number == _EMPTY else str(change(int(number)))
        if new == number or new != str(_NO_PLAYER):
            names += [word, new]
    return tuple(names)
