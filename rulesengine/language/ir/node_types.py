"""The record classes of programs by name, for every serialised form."""

from types import MappingProxyType

from rulesengine.board.topology import Direction, Topology
from rulesengine.language.ir import rules as r
from rulesengine.language.ir.program import Program, Route
from rulesengine.state import CellNumbers, Form, StackForm

# Serialised names that differ from the class name. They are part of the hash of rules in records,
# certificates and learned weights, so they never change.
_TAGS: MappingProxyType[type, str] = MappingProxyType(
    {
        r.MoveTemplate: "Written",
        r.Visibility: "Sees",
        r.SimultaneousChoices: "Together",
        r.CheckedDefinition: "Notion",
    }
)


def tag_of(record: type) -> str:
    """Return the name of a record class in serialised forms."""
    return _TAGS.get(record, record.__name__)


RECORDS: MappingProxyType[str, type] = MappingProxyType(
    {
        tag_of(c): c
        for c in (
            r.Site, r.Parameter, r.Player, r.Limit, r.Kind, r.Register, r.Track, r.BoardForm,
            r.Template, r.TemplateField, r.Notation, r.Drawing, r.Appearance, r.DecidedTargets,
            r.Choice, r.MoveTemplate, r.Group, r.Chance, r.Then, r.End, r.Key, r.OneOfEach,
            r.LookAhead, r.Strategy, r.StrategyWithArguments, r.ExactChoice, r.Statement,
            r.CheckedDefinition, r.ClauseText, r.FormatOptions, r.Visibility, r.SimultaneousChoices,
            r.Stacks, r.TileForm, r.NarrowedTargets, r.Rules, Program, Route, Form, CellNumbers,
            StackForm, Topology, Direction,
        )
    }
)  # fmt: skip
