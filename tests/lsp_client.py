"""A client of the Language Server Protocol over the standard input and output of a process."""

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parent.parent
_SECONDS = 60


class Client:
    """Starts the server, and speaks to it in frames with a Content-Length."""

    def __init__(self, folder: Path, encodings: tuple[str, ...] = ("utf-16",)) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "RULESENGINE_CACHE": ""}
        self._process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "rulesengine", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment,
        )
        self._numbers = 0
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._notes: queue.Queue[dict[str, Any]] = queue.Queue()
        assert self._process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,))
        self._reader.start()
        general = {"general": {"positionEncodings": list(encodings)}}
        given = {"processId": None, "rootUri": folder.as_uri(), "capabilities": general}
        self.capabilities = self.ask("initialize", given)["capabilities"]
        self.tell("initialized", {})

    def ask(self, method: str, params: Any) -> Any:
        """The result of a request; an error is an AssertionError with its message."""
        answer = self.answer(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def answer(self, method: str, params: Any) -> dict[str, Any]:
        """The whole answer to a request."""
        self._numbers += 1
        self._send({"id": self._numbers, "method": method, "params": params})
        answer = self._answers.get(timeout=_SECONDS)
        assert answer["id"] == self._numbers
        return answer

    def tell(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def note(self, method: str) -> Any:
        """What the next notification of a kind says."""
        while True:
            note = self._notes.get(timeout=_SECONDS)
            if note["method"] == method:
                return note["params"]

    def open(self, uri: str, text: str) -> list[dict[str, Any]]:
        """Open a text; its diagnostics."""
        item = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})
        return self.diagnostics(uri)

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """What is next said of a text; what is said of others is passed over."""
        while (found := self.note("textDocument/publishDiagnostics"))["uri"] != uri:
            pass
        listed: list[dict[str, Any]] = found["diagnostics"]
        return listed

    def close(self) -> tuple[int, str]:
        """Shut the server down; its exit code and its standard error."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        code = self._process.wait(timeout=_SECONDS)
        self._reader.join(timeout=_SECONDS)
        return code, self._end()

    def stop(self) -> None:
        """End the process whatever it does."""
        self._process.kill()
        self._process.wait()
        self._reader.join(timeout=_SECONDS)
        self._end()

    def _end(self) -> str:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        said = "" if process.stderr.closed else process.stderr.read().decode()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()
        return said

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _read(self, stream: IO[bytes]) -> None:
        while line := stream.readline():
            length = 0
            while line.strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                line = stream.readline()
            message = json.loads(stream.read(length))
            to = self._answers if "id" in message and "method" not in message else self._notes
            to.put(message)
