"""The language server: maps requests of the protocol to functions of the package.

The protocol: Microsoft, Language Server Protocol Specification 3.17.
"""

import asyncio
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from importlib.metadata import PackageNotFoundError, version
from inspect import iscoroutinefunction
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from rulesengine.server.lsp.completions import completions
from rulesengine.server.lsp.diagnostics import diagnostics, findings, fixes
from rulesengine.server.lsp.positions import Text
from rulesengine.server.lsp.symbols import RenameError, names, parent_at, rename
from rulesengine.server.lsp.test_lens import RUN_TESTS, lenses, run_tests
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.source import Span
from rulesengine.tools.completion import Occurrences, declaration, hover, occurrence_at

_Placed = (
    lsp.HoverParams
    | lsp.CompletionParams
    | lsp.DefinitionParams
    | lsp.ReferenceParams
    | lsp.RenameParams
)

# Seconds without a change until a text is checked (debounce).
_PAUSE = 0.2


@dataclass(slots=True)
class _OpenText:
    """The cached state of an open text: its findings, and its names when it was last readable."""

    findings: tuple[Diagnostic, ...] = ()
    names: Occurrences = ()
    changes: int = 0


def serve() -> None:
    """Serve an editor on standard input and output until it sends `exit`."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    # pygls closes its streams, so it gets duplicates of standard input and output.
    with os.fdopen(os.dup(0), "rb") as requests, os.fdopen(os.dup(1), "wb") as responses:
        make_server().start_io(requests, responses)


def make_server() -> LanguageServer:
    """Build a language server for specs."""
    server = LanguageServer("rulesengine", _version())
    handlers = _Handlers(server)
    for method, handler in (
        (lsp.TEXT_DOCUMENT_DID_OPEN, handlers.opened),
        (lsp.TEXT_DOCUMENT_DID_CHANGE, handlers.changed),
        (lsp.TEXT_DOCUMENT_DID_CLOSE, handlers.closed),
        (lsp.TEXT_DOCUMENT_HOVER, handlers.hover),
        (lsp.TEXT_DOCUMENT_DEFINITION, handlers.definition),
        (lsp.TEXT_DOCUMENT_REFERENCES, handlers.references),
        (lsp.TEXT_DOCUMENT_RENAME, handlers.rename),
        (lsp.TEXT_DOCUMENT_CODE_ACTION, handlers.code_actions),
        (lsp.TEXT_DOCUMENT_CODE_LENS, handlers.lenses),
    ):
        server.feature(method)(_function(handler))
    options = lsp.CompletionOptions(trigger_characters=[" ", "("])
    server.feature(lsp.TEXT_DOCUMENT_COMPLETION, options)(_function(handlers.completions))
    server.command(RUN_TESTS)(_function(handlers.run_tests))
    return server


def _function(method: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a method in a function, because pygls sets attributes on handlers."""
    if iscoroutinefunction(method):

        @wraps(method)
        async def later(*args: Any) -> Any:
            return await method(*args)

        return later

    @wraps(method)
    def now(*args: Any) -> Any:
        return method(*args)

    return now


def _version() -> str:
    try:
        return version("boardgame-rulesengine")
    except PackageNotFoundError:
        return "not installed"


class _Handlers:
    """The request handlers of the server."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._open: dict[str, _OpenText] = {}
        self._last = ""

    # diagnostics

    def opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        self._check(params.text_document.uri)

    async def changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Check the text after a pause in typing."""
        uri = params.text_document.uri
        known = self._document(uri)
        known.changes += 1
        changes = known.changes
        await asyncio.sleep(_PAUSE)
        if known.changes == changes and uri in self._open:
            self._check(uri)

    def closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self._open.pop(params.text_document.uri, None)
        self._publish(params.text_document.uri, [])

    def code_actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        text = self._text(params.text_document.uri)
        return fixes(text, self._document(text.uri).findings, params.range)

    def _check(self, uri: str) -> None:
        self._last = uri
        text, known = self._text(uri), self._document(uri)
        known.findings = findings(text)
        self._publish(uri, diagnostics(text, known.findings))

    def _publish(self, uri: str, published: list[lsp.Diagnostic]) -> None:
        self._server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, published))

    # hover, completion and symbols

    def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        text, offset = self._place(params)
        shown = hover(text.source, self._names(text), offset)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, shown)) if shown else None

    def completions(self, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        text, offset = self._place(params)
        return completions(text, self._names(text), offset)

    def definition(self, params: lsp.DefinitionParams) -> lsp.Location | None:
        text, offset = self._place(params)
        parent = parent_at(text, offset)
        if parent is not None:
            return text.location(Span(parent, 0, 0))
        one = occurrence_at(text.source, self._names(text), offset)
        location = declaration(self._names(text), one.name) if one else None
        return text.location(location.span) if location else None

    def references(self, params: lsp.ReferenceParams) -> list[lsp.Location]:
        text, offset = self._place(params)
        one = occurrence_at(text.source, self._names(text), offset)
        return [text.location(o.span) for o in self._names(text) if one and o.name == one.name]

    def rename(self, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        text, offset = self._place(params)
        try:
            edits = rename(text, names(text), offset, params.new_name)
        except RenameError as error:
            raise JsonRpcInvalidParams(str(error)) from None
        return lsp.WorkspaceEdit(changes={text.uri: edits})

    # tests

    def lenses(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        return lenses(self._text(params.text_document.uri))

    def run_tests(self, uri: str = "") -> dict[str, object]:
        """Run the tests of a text, show the result in the editor and return it.

        Without a URI this is the text that was opened or changed last.
        """
        ran = run_tests(self._text(uri or self._last))
        kind = lsp.MessageType.Warning if ran.failed or ran.problem else lsp.MessageType.Info
        self._server.window_show_message(lsp.ShowMessageParams(kind, ran.message))
        return {"passed": ran.passed, "failed": ran.failed, "problem": ran.problem}

    def _place(self, params: _Placed) -> tuple[Text, int]:
        text = self._text(params.text_document.uri)
        return text, text.offset(params.position)

    def _text(self, uri: str) -> Text:
        document = self._server.workspace.get_text_document(uri)
        return Text.of(uri, document.source, self._server.workspace.position_codec)

    def _document(self, uri: str) -> _OpenText:
        return self._open.setdefault(uri, _OpenText())

    def _names(self, text: Text) -> Occurrences:
        """Return the names of a text; while it has syntax errors, those of its last readable
        version.
        """
        known = self._document(text.uri)
        known.names = names(text) or known.names
        return known.names
