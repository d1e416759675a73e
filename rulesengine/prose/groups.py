"""Descriptions of moves: groups of steps, continuations of a step, tiers."""

import re

from rulesengine.language.ir.ops import Op, contained_in, walk
from rulesengine.language.ir.roles import (
    alternatives,
    constant,
    has_role,
    is_constant,
    is_of_kind,
    is_of_side,
    is_single,
    loop_function,
    parts_of,
)
from rulesengine.language.ir.rules import Group, Then
from rulesengine.prose import idioms
from rulesengine.prose.describer_base import PLAYER, Scope
from rulesengine.prose.effects import Describer
from rulesengine.prose.nouns import listed
from rulesengine.support.frozen import replace

_CHOSEN_KIND = "piece of the chosen kind"
_FEW, _MANY = 3, 8
# The names of groups that have none in the spec.
_AUTOMATIC = re.compile(r"(place|move|select|pass|swap|chance)\d+")


class Groups:
    """Describes groups of steps."""

    def __init__(self, describer: Describer) -> None:
        self.describer = describer
        self.rules = describer.rules

    def sentences(
        self, group: Group, seen: tuple[str, ...] = (), *, is_step: bool = False
    ) -> list[str]:
        """Describe the steps of a group: their form, conditions, effects and continuations."""
        if own := self.describer.remarks.own("moves", group.name):
            return [own]
        before, after = self.scopes(group)
        name = "" if is_step or _AUTOMATIC.fullmatch(group.name) else _plain(group.name)
        name = name or ("" if is_step or group.weight else self._only_owner(group))
        texts = [] if group.kind == "chance" else [self._first(group, name, before)]
        if group.choice and not group.tiles:
            chosen = "Draw" if group.weight else "Choose"
            first = bool(texts) and _CHOSEN_KIND in texts[0]
            texts.insert(0 if first else 1, f"{chosen} {self._choices(group, before)}.")
        if group.when:
            allowed = "Possible" if group.weight else "Allowed"
            texts.append(f"{allowed} {self.describer.clause(group.when, before, lead='only if')}.")
        if group.weight and not _is_one(group.weight):
            texts.append(f"Its weight is {self.describer.text(group.weight, before)}.")
        if effects := _own_effects(group):
            texts.append(self._effects_of(replace(group, effects=effects), after))
        if group.forbid:
            after_it = self.describer.clause(group.forbid, after, lead="if, after it,")
            texts.append(f"Not allowed {after_it}.")
        is_named = group.kind == "pass" or group.kind == "chance"
        if group.written and "{" not in group.written.text and not is_named:
            texts.append(f"It is written {group.written.text}.")
        if group.then:
            texts += self._then(group, group.then, after, (*seen, group.name))
        return [*texts, *filter(None, [self.describer.remarks.comment("moves", group.name)])]

    def _first(self, group: Group, name: str, scope: Scope) -> str:
        """Return the sentence on the step itself, after the name of the group if it has one."""
        phrase = self._step(group, scope)
        return _sentence(f"{name}: {phrase}" if name else phrase)

    def _choices(self, group: Group, scope: Scope) -> str:
        """Describe the values of a choice, with the names of several choices."""
        lists = [(c.name, c.values) for c in group.choices] or [("", group.choice)]
        phrases = []
        for name, values in lists:
            among = self._among(values, scope)
            phrases.append(among if name in ("", "choice") else f"{_plain(name)} ({among})")
        return listed(phrases)

    def _among(self, values: tuple[Op, ...], scope: Scope) -> str:
        """List the values of a choice; successive numbers as a range."""
        numbers = [constant(op) for op in values if op.type == "number"]
        first = numbers[0] if numbers else None
        if first is not None and len(values) > _FEW:
            if numbers == [*range(first, first + len(values))]:
                return f"a number from {first} to {numbers[-1]}"
        known = [number for number in numbers if number is not None]
        if len(values) > _MANY and len(known) == len(values):
            return f"one of {len(known)} numbers from {min(known)} to {max(known):,}"
        if len(values) > _MANY and values[0].type == "kind":
            return "any kind of piece"
        return listed([self.describer.text(op, scope) for op in values], "or")

    def _jumped(self, group: Group) -> Op | None:
        """Return the set of cells over which a piece jumps to its target, if it jumps."""
        leaps = (idioms.leap(op) for op in walk(group.target)) if group.target else ()
        jumps = [jump for jump in leaps if jump is not None and is_single(jump[0], "from")]
        return jumps[0][2] if len(jumps) == 1 else None

    def _effects_of(self, group: Group, scope: Scope) -> str:
        """Describe the effects of a group; the piece that is jumped over is called so."""
        over = self._jumped(group)
        first = group.effects[0]
        if over is None or not has_role(first, "removal") or not _is_step_from(first.args[0]):
            return self._effects(group.effects, scope)
        verb = "capture" if self.describer.is_enemy_set(over) else "remove"
        phrase = f"Then {verb} the piece that it jumps over."
        rest = group.effects[1:]
        return f"{phrase} {self._effects(rest, scope)}" if rest else phrase

    def _effects(self, effects: tuple[Op, ...], scope: Scope) -> str:
        return f"Then {self.describer.effects(effects, scope)}."

    def scopes(self, group: Group) -> tuple[Scope, Scope]:
        """Return the names of the cells of a step before and after it is made."""
        piece = self._origin_word(group)
        way = {"direction": "that way", "choice": "the choice"}
        if group.kind in ("move", "lift"):
            before = {**way, "from": f"the {piece}", "to": "its target cell"}
            return before, {**way, "from": "its origin cell", "to": f"the moved {piece}"}
        if group.tiles:
            tile = {**way, "to": "its first cell", "covered": "the cells of the tile"}
            return tile, tile
        if group.kind in ("place", "lay"):
            kind = group.piece
            word = self.describer.text(kind, way) if kind and is_constant(kind) else piece
            return {**way, "to": "that cell"}, {**way, "to": f"the new {word}"}
        pieces = group.target is not None and self.describer.noun(group.target, way).pieces
        chosen = {**way, "to": "the chosen piece" if pieces else "the chosen cell"}
        return chosen, chosen

    def _only_owner(self, group: Group) -> str:
        """Return the player that alone has the kind of piece that a group moves or places."""
        kind = group.piece if group.side == PLAYER else None
        parts = [*parts_of(group.origin, "meet")] if group.origin else []
        if any(is_of_side(part) and part.args[0] == PLAYER for part in parts):
            kind = next((part.args[0] for part in parts if is_of_kind(part)), None)
        number = constant(kind) if kind is not None else None
        if number is None or len(self.rules.players) == 1:
            return ""
        owners = [n for n, symbol in enumerate(self.rules.kinds[number].symbols[:-1]) if symbol]
        return _plain(self.rules.players[owners[0]].name) if len(owners) == 1 else ""

    def _origin_word(self, group: Group) -> str:
        """Return the word for the piece that moves: its kind if there is only one."""
        parts = [*parts_of(group.origin, "meet")] if group.origin else []
        kinds = [part.args[0] for part in parts if is_of_kind(part) and is_constant(part.args[0])]
        if len(kinds) == 1:
            return self.describer.text(kinds[0], {})
        if group.origin and self._moves_neutral(group.origin):
            return "piece"
        return self.describer.names.piece()

    def _moves_neutral(self, origin: Op) -> bool:
        inner = origin.args if has_role(origin, "join") else alternatives(origin)
        return any(map(self._moves_neutral, inner)) or self.describer.is_neutral(origin)

    def _step(self, group: Group, scope: Scope) -> str:
        along = f"{self._directions(group.along, scope)}, " if group.along else ""
        target = self._target(group, scope)
        match group.kind:
            case "place" | "lay":
                assert group.piece
                assert group.side
                piece = self.describer.piece(group.piece, group.side, scope)
                return f"{along}place {piece} on {target}"
            case "tile":
                return f"{along}{self._tile(group, scope)}"
            case "move":
                assert group.origin
                origin = self.describer.noun(group.origin, scope).some
                origin += "," if " such that " in origin else ""
                return f"{along}move {origin} to {target}{self._captures(group, target)}"
            case "lift":
                return f"{along}{self._lift(group, target, scope)}"
            case "select":
                return f"{along}choose {target}"
            case "swap":
                return (
                    "swap: take over the pieces and the side of the other player,"
                    " who takes yours and is to move"
                )
        if group.written and "{" not in group.written.text:
            return f"say “{group.written.text}”"
        return "pass"

    def _tile(self, group: Group, scope: Scope) -> str:
        """Describe a step that covers a tile, with its other choices."""
        assert group.piece
        assert group.side
        assert group.target
        kinds = dict.fromkeys(tile.kind for tile in group.tiles)
        names = [self.rules.kinds[kind].name for kind in kinds]
        tiles = f"the tile {names[0]}" if len(names) == 1 else f"one of the {len(names)} tiles"
        if 1 < len(names) <= _MANY:
            tiles = f"the tile {listed(names, 'or')}"
        others = [
            dict.fromkeys(column) for column in zip(*(t.others for t in group.tiles), strict=True)
        ]
        more = "".join(f", choose {self._among(tuple(values), scope)}" for values in others)
        piece = self.describer.piece(group.piece, group.side, scope)
        turned = ", turned and turned over as you like" if self._has_forms(group) else ""
        cells = self.describer.noun(group.target.args[0], scope).some
        return f"place {tiles}{turned}{more}: {piece} on each of its cells. Each of them is {cells}"

    def _has_forms(self, group: Group) -> bool:
        return len({(tile.kind, tile.form) for tile in group.tiles}) > len(
            {tile.kind for tile in group.tiles}
        )

    def _lift(self, group: Group, target: str, scope: Scope) -> str:
        """Describe the step of a stack, or of so many upper pieces of it."""
        assert group.origin
        origin = self.describer.noun(group.origin, scope).some
        built_in = len(group.effects) - len(_own_effects(group))
        if not built_in:
            return f"choose {origin} and {target}"
        number = group.effects[0].args[0]
        if idioms.is_whole_stack(number):
            return f"move the stack of {origin} to {target}"
        return (
            f"move {self.describer.upper_pieces(number, scope)} the stack of {origin} to {target}"
        )

    def _captures(self, group: Group, target: str) -> str:
        """Return the capture of the piece on the target, if there can be one."""
        if group.target is None or _is_free(group.target) or self.describer.is_vacant(group.target):
            return ""
        if "(1)" in target:
            return ". A piece there is captured"
        it = "it is" if self.describer.noun(group.target, {}).pieces else "a piece there is"
        return f"; {it} captured"

    def _directions(self, along: Op, scope: Scope) -> str:
        text = self.describer.text(along, scope)
        if text in ("orthogonally", "diagonally"):
            text = f"in any {text.removesuffix('ly')} direction"
        return text if text.startswith("in any ") else f"in the direction {text}"

    def _target(self, group: Group, scope: Scope) -> str:
        if group.target is None:
            return ""
        return self.describer.place(group.target, scope)

    def _then(self, group: Group, then: Then, scope: Scope, seen: tuple[str, ...]) -> list[str]:
        must = "may" if then.optional else "must"
        if_ = f"if {self.describer.condition(then.when, scope)}, " if then.when else ""
        if then.step in seen:
            go_on = f"{must} go on in the same way{self._limits(then, scope)}"
            while_ = "" if then.optional else " while you can"
            return [_sentence(f"{if_}you {go_on}{while_}, in the same move")]
        following = next(g for g in self.rules.groups if g.name == then.step)
        first, *rest = self.sentences(following, seen, is_step=True)
        phrase = first[0].lower() + first[1:].rstrip(".")
        can = "" if then.optional else ", if you can"
        limits = self._limits(then, scope)
        return [_sentence(f"{if_}you {must} then{can}, in the same move{limits}, {phrase}"), *rest]

    def _limits(self, then: Then, scope: Scope) -> str:
        """Describe the cells and directions to which the next step is limited."""
        origin = f" with {self.describer.noun(then.origin, scope).every}" if then.origin else ""
        along = f", {self.describer.text(then.along, scope)}" if then.along else ""
        return origin + along


def _is_step_from(cells: Op) -> bool:
    """True if a set is the cell one step from the origin in the direction of the step."""
    return (
        has_role(cells, "shift")
        and len(cells.args) == len(("from", "way"))
        and is_single(cells.args[0], "from")
    )


def _is_one(weight: Op) -> bool:
    return is_constant(weight, 1)


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def _is_free(op: Op) -> bool:
    """True if the form of a set implies that its cells are empty."""
    if loop_function(op):
        return _is_free(op.args[0])
    inner = op.args if has_role(op, "join") else alternatives(op)
    if inner:
        return all(map(_is_free, inner))
    return has_role(op, "vacancy") or any(map(_is_free, contained_in(op)))


def _own_effects(group: Group) -> tuple[Op, ...]:
    """Return the effects of a group except the effect that lays or lifts its pieces."""
    first = next(iter(group.effects), None)
    is_built_in = group.kind in ("lay", "tile") or (
        group.kind == "lift" and first is not None and idioms.is_step_of_stack(first)
    )
    return group.effects[1:] if is_built_in else group.effects
