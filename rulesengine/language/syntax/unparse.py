"""The printer of nodes: `parse(unparse(node)) == node` for every node."""

from rulesengine.language.syntax import nodes as n

# Operator precedences; an operand with a lower precedence is put in brackets.
_LOOSE, _WHERE, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _UNARY, _PRIMARY = range(10)


def unparse(node: n.Node) -> str:
    """Return the text of an expression, an effect, a result or a key."""
    match node:
        case n.PieceEffect(words=words, operands=operands):
            pairs = zip(words, operands, strict=True)
            return " ".join(f"{word} {unparse(operand)}" for word, operand in pairs)
        case n.SetRegister(register=register, value=value, adds=True):
            return f"add {unparse(value)} to {unparse(register)}"
        case n.SetRegister(register=register, value=value):
            return f"set {unparse(register)} to {unparse(value)}"
        case n.EffectIf(test=test, then=then, otherwise=otherwise):
            tail = f" else {unparse(otherwise)}" if otherwise else ""
            return f"if {unparse(test)} then {unparse(then)}{tail}"
        case n.Block(effects=effects):
            return f"({', '.join(map(unparse, effects))})"
        case n.ForEach(variable=variable, domain=domain, effect=effect):
            return f"for {variable} in {unparse(domain)} do {unparse(effect)}"
        case n.CarryEach(variable=variable, cells=cells, target=target):
            return f"carry {variable} in {unparse(cells)} to {unparse(target)}"
        case n.Repeat(effect=effect, until=until):
            end = unparse(until) if until else "nothing changes"
            return f"repeat {unparse(effect)} until {end}"
        case n.Perform(name=name, arguments=arguments):
            argument_list = f"({', '.join(map(unparse, arguments))})" if arguments else ""
            return f"{name.word}{argument_list}"
        case n.Wins(side=side):
            return f"{unparse(side)} wins"
        case n.Loses(side=side):
            return f"{unparse(side)} loses"
        case n.Draw():
            return "draw"
        case n.ByScore(highest=highest):
            return f"{'highest' if highest else 'lowest'} score wins"
        case n.Key(order=order, value=value):
            return f"{order} {unparse(value)}"
        case n.Prefer(conditions=conditions):
            return "prefer " + " else ".join(unparse(c) for c in conditions)
        case n.OneOfEach():
            return "one of each result"
        case n.KeyWord(word=word):
            return word
    return _expression(node)[0]


def _expression(node: n.Node) -> tuple[str, int]:
    match node:
        case n.Number(value=value):
            return str(value), _PRIMARY
        case n.Name(word=word):
            return word, _PRIMARY
        case n.Text():
            return '"' + _template(node) + '"', _PRIMARY
        case n.Words(words=words):
            return " ".join(w.word for w in words), _PRIMARY
        case n.OfSide(name=name, side=side):
            return f"{name.word} of {_at(side, _PRIMARY)}", _PRIMARY
        case n.Call(function=function, arguments=arguments, named=named):
            texts = [_argument(a) for a in arguments]
            texts += [f"{name}: {_argument(value)}" for name, value in named]
            return f"{function}({', '.join(texts)})", _PRIMARY
        case n.Each(function=function, variable=variable, domain=domain, body=body):
            head = f"{variable} in {_at(domain, _SUM)}"
            return f"{function}({head}, {_argument(body)})", _PRIMARY
        case n.Index(word=word, value=value):
            return f"{word}[{unparse(value)}]", _PRIMARY
        case n.Listing(items=items):
            return f"[{', '.join(_at(i, _LOOSE) for i in items)}]", _PRIMARY
        case n.Conditional(test=test, then=then, otherwise=otherwise):
            parts = (_at(test, _LOOSE), _at(then, _LOOSE), _at(otherwise, _LOOSE))
            return "if {} then {} else {}".format(*parts), _LOOSE
        case n.Where(cells=cells, condition=condition):
            return f"{_at(cells, _WHERE)} where {_at(condition, _OR)}", _WHERE
        case n.Touching(cells=cells, others=others):
            return f"{_at(cells, _SUM)} touching {_at(others, _SUM)}", _COMPARE
        case n.Between(over=over, start=start, until=until):
            ends = f"{_at(start, _SUM)} and {_at(until, _SUM)}"
            return f"{_at(over, _SUM)} between {ends}", _COMPARE
        case n.Operation():
            return _operation(node)
    raise TypeError(f"no text for {type(node).__name__}")


def _operation(node: n.Operation) -> tuple[str, int]:
    operator, operands = node.operator, node.operands
    if operator in ("and", "or"):
        level = _AND if operator == "and" else _OR
        return f" {operator} ".join(_at(o, level + 1) for o in operands), level
    if operator == "not":
        return f"not {_at(operands[0], _NOT)}", _NOT
    if operator == "negative":
        return f"-{_at(operands[0], _UNARY)}", _UNARY
    level = {"+": _SUM, "-": _SUM, "minus": _SUM, "*": _PRODUCT, "/": _PRODUCT, "%": _PRODUCT}.get(
        operator, _COMPARE
    )
    if level == _COMPARE:
        return f"{_at(operands[0], _SUM)} {operator} {_at(operands[1], _SUM)}", level
    return f"{_at(operands[0], level)} {operator} {_at(operands[1], level + 1)}", level


def _template(node: n.Text) -> str:
    """Return the text of a template without its quotation marks."""
    out = ""
    for part in node.parts:
        if isinstance(part, str):
            escaped = part.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
            out += escaped.replace("\t", "\\t").replace("{", "{{").replace("}", "}}")
        else:
            out += "{" + unparse(part.value) + (f":{part.format}" if part.format else "") + "}"
    return out


def _argument(node: n.Node) -> str:
    if isinstance(node, n.Range):
        if node.low is None or node.high is None:
            bound, word = (node.low, "at least") if node.high is None else (node.high, "at most")
            return f"{word} {unparse(bound) if bound else ''}"
        if node.low == node.high:
            return f"exactly {unparse(node.low)}"
        return f"{unparse(node.low)} to {unparse(node.high)}"
    return unparse(node)


def _at(node: n.Node, level: int) -> str:
    text, binds = _expression(node)
    return text if binds >= level else f"({text})"
