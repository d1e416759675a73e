"""The strategies that a script plays by: named, computed, or with arguments."""

from types import MappingProxyType

from rulesengine.language.check.context import (
    PLAYER,
    SHOWN_TYPES,
    STEP,
    Context,
    ExpressionContext,
    ParameterizedStrategy,
    is_error,
)
from rulesengine.language.check.names import argument_count
from rulesengine.language.check.reader import get
from rulesengine.language.check.scope import Scope
from rulesengine.language.check.suggestions import declared
from rulesengine.language.ir import rules
from rulesengine.language.ir.ops import Op, Type
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.script import ExactChoice
from rulesengine.support.diagnostic import Suggestion, did_you_mean
from rulesengine.support.source import Span

_PAIR = 2


def strategy(
    scope: Scope, node: n.Node | None
) -> tuple[str, Op | rules.StrategyWithArguments | rules.ExactChoice | None]:
    """Check a strategy; return its name, or an empty one and its operation or arguments."""
    context, names = scope.context, scope.context.strategies
    if isinstance(node, ExactChoice):
        require_solvable(scope.context, node.span, is_strategy=True)
        return "", rules.ExactChoice(scope.value(node.budget, "number"))
    if isinstance(node, n.Index):
        return "", _computed_strategy(scope, node)
    if isinstance(node, n.Call):
        return "", _strategy_with_arguments(scope, node)
    word = node.word if isinstance(node, n.Name) else ""
    if word in context.strategy_templates and node is not None:
        _count(scope, context.strategy_templates[word], (), node)
    elif word not in names and node is not None:
        known = [*names, *context.strategy_templates]
        help = did_you_mean(word, known) or "the strategies are " + ", ".join(known)
        if not known:
            entry = f"{word}: [leftmost]"
            help = declared(context, "strategies", entry, f"declare it: `strategies: {{{entry}}}`")
        context.report("unknown-name", node.span, f"no strategy `{word}`", help)
    return word, None


def require_solvable(context: Context, span: Span, *, is_strategy: bool = False) -> None:
    """Report an exact value that is not computed: it is for two players without chance."""
    game = context.root.get("rules") if context.root else None
    code, message = "not-here", ""
    if len(context.players) != _PAIR:
        message = f"exact values are for two players, and there are {len(context.players)}"
        message = message if len(context.players) > 1 else "exact values are for two players"
    elif get(game, "chance") is not None:
        message = "exact values are for games without chance"
    elif context.hiding:
        code, message = "hidden-read", "an exact value depends on what a player does not see"
    if message:
        plain = next((name for name in context.strategies if not name.isdigit()), "")
        help = Suggestion(f"play by a strategy: `{plain}`", plain) if plain and is_strategy else ""
        context.report(code, span, message, help)


def _computed_strategy(scope: Scope, node: n.Index) -> Op:
    """Check a computed name of a strategy."""
    names = scope.context.strategies
    op = scope.expressions.infer(node.value, scope.view())
    if not is_error(op) and op.type not in ("number", "text"):
        message = f"expected a strategy's name, found {SHOWN_TYPES[op.type]}"
        help = "the strategies are " + ", ".join(names)
        if len(names) == 1:
            plain = not names[0].isdigit()
            help = Suggestion(help, names[0], node.span if plain else node.value.span)
        scope.context.report("type-mismatch", node.value.span, message, help)
    return op


def _strategy_with_arguments(scope: Scope, node: n.Call) -> rules.StrategyWithArguments | None:
    """Check a strategy with arguments, which are evaluated before the moves."""
    context, word = scope.context, node.function
    template = context.strategy_templates.get(word)
    if template is None:
        names = list(context.strategy_templates)
        help = did_you_mean(word, names)
        if word in context.strategies:
            help = Suggestion("it takes no values", word, node.span)
        message = f"no strategy `{word}` with parameters"
        context.report("unknown-name", node.name_span, message, help)
        return None
    context.used.add(f"{word}()")
    if not _count(scope, template, node.arguments, node):
        return None
    values = tuple(scope.expressions.infer(value, scope.view()) for value in node.arguments)
    if any(map(is_error, values)):
        return None
    types = tuple(op.type for op in values)
    if (word, types) not in scope.chosen:
        scope.chosen[word, types] = _named(scope, template, types)
    strategy, fresh = scope.chosen[word, types]
    return rules.StrategyWithArguments(strategy, fresh, values)


def _named(
    scope: Scope, template: ParameterizedStrategy, types: tuple[Type, ...]
) -> tuple[rules.Strategy, tuple[str, ...]]:
    """Instantiate a strategy for arguments of these types; also return its variables."""
    names = tuple(scope.context.fresh(argument) for argument in template.arguments)
    passed = zip(template.arguments, types, names, strict=True)
    bound = {argument: Op("variable", type, (), name) for argument, type, name in passed}
    keys = scope.keys(
        template.keys, ExpressionContext("strategy", PLAYER, MappingProxyType(bound), STEP)
    )
    return rules.Strategy(template.name, keys), names


def _count(
    scope: Scope, template: ParameterizedStrategy, values: tuple[n.Node, ...], node: n.Node
) -> bool:
    """True if a strategy has as many arguments as parameters; report it otherwise."""
    wanted = template.arguments
    if len(values) == len(wanted):
        return True
    shown = [value.span.text for value in values[: len(wanted)]]
    write = f"{template.name}({', '.join([*shown, *['0'] * (len(wanted) - len(shown))])})"
    message = f"`{template.name}` takes {argument_count(len(wanted))}, found {len(values)}"
    scope.context.report(
        "argument-count", node.span, message, Suggestion(f"write `{write}`", write)
    )
    return False
