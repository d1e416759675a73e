"""Descriptions of moves: groups of steps, continuations of a step, tiers."""

from rulesengine.language.ir.ops import Op, contained_in
from rulesengine.language.ir.roles import alternatives, has_role, is_constant, loop_function
from rulesengine.language.ir.rules import Group, Then
from rulesengine.prose.effects import Speaker
from rulesengine.prose.nouns import listed
from rulesengine.prose.speaker import Scope


class Groups:
    """Describes groups of steps."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker
        self.rules = speaker.rules

    def sentences(self, group: Group, seen: tuple[str, ...] = ()) -> list[str]:
        """Describe the steps of a group: their form, conditions, effects and continuations."""
        before, after = self.scopes(group)
        found = [] if group.kind == "chance" else [_sentence(self._step(group, before))]
        if group.choice:
            chosen = "Drawn is" if group.weight else "Choose"
            found.append(f"{chosen} {self._choices(group, before)}.")
        if group.when:
            allowed = "Possible" if group.weight else "Allowed"
            found.append(f"{allowed} only if {self.speaker.condition(group.when, before)}.")
        if group.weight and not _is_one(group.weight):
            found.append(f"Each weighs {self.speaker.text(group.weight, before)}.")
        if group.effects:
            found.append(self._effects(group.effects, after))
        if group.forbid:
            found.append(
                f"Not allowed if afterwards {self.speaker.condition(group.forbid, after)}."
            )
        if group.written:
            found.append(f"It is written `{group.written.text}`.")
        if group.then:
            found += self._then(group, group.then, after, (*seen, group.name))
        return found

    def _choices(self, group: Group, scope: Scope) -> str:
        """Describe the values of a choice, with the names of several choices."""
        lists = [(c.name, c.values) for c in group.choices] or [("", group.choice)]
        said = []
        for name, values in lists:
            among = listed([self.speaker.text(op, scope) for op in values], "or")
            said.append(among if name in ("", "choice") else f"{_plain(name)} ({among})")
        return listed(said)

    def _effects(self, effects: tuple[Op, ...], scope: Scope) -> str:
        said = [self.speaker.text(effect, scope) for effect in effects]
        return "Then " + "; ".join(said) + "."

    def scopes(self, group: Group) -> tuple[Scope, Scope]:
        """Return the names of the cells of a step before and after it is made."""
        piece = self.speaker.names.piece()
        way = {"direction": "that way", "choice": "the choice"}
        if group.kind == "move":
            before = {**way, "from": f"the {piece}", "to": "its target cell"}
            return before, {**way, "from": "its origin cell", "to": f"the moved {piece}"}
        if group.kind == "place":
            kind = group.piece
            word = self.speaker.text(kind, way) if kind and is_constant(kind) else piece
            return {**way, "to": "that cell"}, {**way, "to": f"the new {word}"}
        pieces = group.target is not None and self.speaker.noun(group.target, way).pieces
        chosen = {**way, "to": "the chosen piece" if pieces else "the chosen cell"}
        return chosen, chosen

    def _step(self, group: Group, scope: Scope) -> str:
        along = f"{self._directions(group.along, scope)}, " if group.along else ""
        where = self._target(group, scope)
        match group.kind:
            case "place":
                assert group.piece
                assert group.side
                return (
                    f"{along}place {self.speaker.piece(group.piece, group.side, scope)} on {where}"
                )
            case "move":
                assert group.origin
                origin = self.speaker.noun(group.origin, scope).some
                origin += "," if " such that " in origin else ""
                taken = (
                    ""
                    if group.target and _is_free(group.target)
                    else ("; a piece there is removed")
                )
                return f"{along}move {origin} to {where}{taken}"
            case "select":
                return f"{along}choose {where}"
            case "swap":
                return "swap: the two players exchange sides, and the same side is to move"
        return "pass"

    def _directions(self, along: Op, scope: Scope) -> str:
        text = self.speaker.text(along, scope)
        if text in ("orthogonally", "diagonally"):
            text = f"in any {text.removesuffix('ly')} direction"
        return text if text.startswith("in any ") else f"in the direction {text}"

    def _target(self, group: Group, scope: Scope) -> str:
        if group.target is None:
            return ""
        return self.speaker.noun(group.target, scope).some

    def _then(self, group: Group, then: Then, scope: Scope, seen: tuple[str, ...]) -> list[str]:
        must = "may" if then.optional else "must"
        if_ = f"if {self.speaker.condition(then.when, scope)}, " if then.when else ""
        if then.step in seen:
            go_on = f"{must} go on in the same way{self._limits(then, scope)}"
            while_ = "" if then.optional else " while you can"
            return [_sentence(f"{if_}you {go_on}{while_}, in the same move")]
        following = next(g for g in self.rules.groups if g.name == then.step)
        first, *rest = self.sentences(following, seen)
        said = first[0].lower() + first[1:].rstrip(".")
        can = "" if then.optional else ", if you can"
        limits = self._limits(then, scope)
        return [_sentence(f"{if_}you {must} then{can}, in the same move{limits}, {said}"), *rest]

    def _limits(self, then: Then, scope: Scope) -> str:
        """Describe the cells and directions to which the next step is limited."""
        origin = f" with {self.speaker.noun(then.origin, scope).every}" if then.origin else ""
        along = f", {self.speaker.text(then.along, scope)}" if then.along else ""
        return origin + along


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
