"""What a process of our own and a server have in common: requests and answers in turn."""

from __future__ import annotations

import os
import threading
from typing import Any

from . import _frames


class VlgymError(RuntimeError):
    """An error of the environment, with its stable code."""

    def __init__(self, message: str, code: str | None, hint: str | None) -> None:
        super().__init__(message)
        self.code = code
        self.hint = hint


class Peer:
    """The other end. A connection that is lost raises `ConnectionError`, and the next reset makes a new one."""

    pid: int
    """Of the Python process that made it: a forked copy must make its own."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._lock = threading.Lock()

    @property
    def alive(self) -> bool:
        raise NotImplementedError

    def greet(self) -> dict[str, Any]:
        hello = self.ask("hello", protocol=_frames.PROTOCOL)
        if hello["protocol"] != _frames.PROTOCOL:
            raise ConnectionError(f"The protocol {hello['protocol']} of the server is not {_frames.PROTOCOL}.")
        return hello

    def ask(self, op: str, **fields: Any) -> Any:
        with self._lock:
            try:
                self._write(b"".join(_frames.encode({"op": op, **fields})))
                answer = self._read()
            except (OSError, ValueError) as error:
                raise ConnectionError(self._last_words(error)) from error
            except KeyboardInterrupt:
                self.close()  # an answer on its way would be taken for the next one
                raise
        if answer.get("ok"):
            return answer
        failure = answer["error"]
        if answer.get("closed"):
            self.close()
            raise ConnectionError(failure["message"])
        raise VlgymError(failure["message"], failure["code"], failure["hint"])

    def close(self) -> None:
        raise NotImplementedError

    def _write(self, data: bytes) -> None:
        raise NotImplementedError

    def _read(self) -> Any:
        raise NotImplementedError

    def _last_words(self, error: BaseException) -> str:
        raise NotImplementedError
