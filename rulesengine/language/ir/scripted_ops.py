"""The operations on texts and lists, for scripts only; kernels do not contain them."""

from types import MappingProxyType

from rulesengine.language.ir.signature import Signature, value_row

SCRIPTED: MappingProxyType[str, Signature] = MappingProxyType(
    {
        "join": value_row("text*", to="text", reads="", fails=""),
        "reason": value_row(to="text", reads="outcome", fails=""),
        # the formatted text of a value: its width, negative for left alignment, and its fill
        # character
        "shown": value_row("*", to="text", value="width and filler", reads="", fails=""),
        "length": value_row("*", to="number", reads="", fails=""),
        "no_numbers": value_row(to="numbers", reads="", fails=""),
        "no_words": value_row(to="texts", reads="", fails=""),
        "item": value_row("*", "number", to="T", value="site", reads="", fails="nothing"),
        "listed": value_row("*", "*", to="flag", reads="", fails=""),
        "cell_called": value_row("text", to="cell", reads="", fails=""),
        "label_number": value_row("text", to="number", value="site", reads="", fails="nothing"),
        "label": value_row("number", to="text", value="site", reads="", fails="nothing"),
        "capitals": value_row("text", to="text", reads="", fails=""),
        "small_letters": value_row("text", to="text", reads="", fails=""),
        "slice": value_row("*", "number", "number", to="T", reads="", fails=""),
        "strip": value_row("text", to="text", reads="", fails=""),
        "split": value_row("text", "text", to="texts", reads="", fails=""),
        "symbol": value_row("cell", to="text", reads="pieces", fails=""),
        "symbols": value_row("cells", to="text", reads="pieces", fails=""),
        "piece_symbol": value_row("kind", "side", to="text", value="site", reads="", fails="piece"),
        "empty_symbol": value_row(to="text", reads="", fails=""),
        "symbol_kind": value_row("text", to="kind", reads="", fails=""),
        "symbol_owner": value_row("text", to="side", reads="", fails=""),
    }
)
