"""A client of the Language Server Protocol over the standard input and output of a process."""

import json
import queue
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.helpers.processes import PATIENCE, Process, running

_SERVER = (sys.executable, "-W", "error", "-m", "rulesengine", "lsp")


@contextmanager
def serving(folder: Path, encodings: tuple[str, ...] = ("utf-16",)) -> Iterator["Client"]:
    """Yield a client of a server with a workspace folder; the server ends with the block."""
    with running(*_SERVER, folder=folder, env={"RULESENGINE_CACHE": ""}) as process:
        client = Client(process)
        reader = threading.Thread(target=client.read)
        reader.start()
        try:
            client.begin(folder, encodings)
            yield client
        finally:
            process.kill()
            reader.join(PATIENCE)


class Client:
    """A client that sends and receives frames with a Content-Length."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self._numbers = 0
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._notes: queue.Queue[dict[str, Any]] = queue.Queue()
        self.capabilities: dict[str, Any] = {}

    def begin(self, folder: Path, encodings: tuple[str, ...]) -> None:
        """Negotiate a folder and the encoding of positions with the server."""
        general = {"general": {"positionEncodings": list(encodings)}}
        given = {"processId": None, "rootUri": folder.as_uri(), "capabilities": general}
        self.capabilities = self.ask("initialize", given)["capabilities"]
        self.tell("initialized", {})

    def ask(self, method: str, params: Any) -> Any:
        """Return the result of a request. Raises AssertionError with the message of an error."""
        answer = self.answer(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def answer(self, method: str, params: Any) -> dict[str, Any]:
        """Return the whole response to a request."""
        self._numbers += 1
        self._send({"id": self._numbers, "method": method, "params": params})
        answer = self._answers.get(timeout=PATIENCE)
        assert answer["id"] == self._numbers
        return answer

    def tell(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def note(self, method: str) -> Any:
        """Return the parameters of the next notification of a method."""
        while True:
            note = self._notes.get(timeout=PATIENCE)
            if note["method"] == method:
                return note["params"]

    def open(self, uri: str, text: str) -> list[dict[str, Any]]:
        """Open a text and return its diagnostics."""
        item = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})
        return self.diagnostics(uri)

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """Return the next diagnostics of a text; those of other texts are skipped."""
        while (found := self.note("textDocument/publishDiagnostics"))["uri"] != uri:
            pass
        listed: list[dict[str, Any]] = found["diagnostics"]
        return listed

    def close(self) -> tuple[int, str]:
        """Shut the server down; return its exit code and its standard error."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        code = self.process.wait(timeout=PATIENCE)
        assert self.process.stderr is not None
        return code, self.process.stderr.read().decode()

    def read(self) -> None:
        """Sort the server's messages into responses and notifications, until it ends."""
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            length = 0
            while line.strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                line = stream.readline()
            body = stream.read(length)
            if len(body) == length:  # else the server was killed while it wrote
                self._sort(json.loads(body))

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _sort(self, message: dict[str, Any]) -> None:
        to = self._answers if "id" in message and "method" not in message else self._notes
        to.put(message)
