"""The record classes of programs by name, for every serialised form."""

from types import MappingProxyType

from rulesengine.board.topology import Direction, Topology
from rulesengine.language.ir import rules as r
from rulesengine.language.ir.program import Program, Route
from rulesengine.state import CellNumbers, Form, StackForm

RECORDS: MappingProxyType[str, type] = MappingProxyType(
    {
        c.__name__: c
        for c in (
            r.Site, r.Parameter, r.Player, r.Limit, r.Kind, r.Register, r.Track, r.BoardForm,
            r.Template, r.TemplateField, r.Notation, r.Drawing, r.Look, r.Decided, r.Choice,
            r.Written, r.Group, r.Chance, r.Then, r.End, r.Key, r.OneOfEach, r.LookAhead,
            r.Strategy, r.Given, r.Solving, r.Statement, r.Notion, r.ClauseText,
            r.FormatOptions, r.Sees, r.Together, r.Stacks, r.TileForm, r.Narrowed, r.Rules,
            Program, Route, Form, CellNumbers, StackForm, Topology, Direction,
        )
    }
)  # fmt: skip
