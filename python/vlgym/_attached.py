"""A server that runs already: `connect="unix:/path"`, or `connect="http://host:port"` with the token in VLGYM_TOKEN.

`vlgym serve ENV… --protocol gymnasium` starts one. Proxies of the surroundings are not used. While the program thinks, a
thread tells the server that it is still there: the server frees the place of a client that says nothing.
"""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import threading
import weakref
from typing import Any
from urllib.parse import urlsplit

from . import _frames
from ._peer import Peer

_CONNECT_SECONDS = 10.0
_MOST_HEADER_BYTES = 1 << 14


class Attached(Peer):
    """A connection is a session of the server, with one environment or one vector."""

    def __init__(self, address: str, timeout: float | None) -> None:
        super().__init__()
        self.address = address
        try:
            self._socket = _connected(address)
        except OSError as error:
            raise ConnectionError(f"No server at {address}: {error}") from error
        self._socket.settimeout(timeout)
        self._stream = self._socket.makefile("rb", buffering=0)
        self._closed = False
        hello: dict[str, Any] = {}
        over = threading.Event()
        beats = threading.Thread(target=_beat, args=(self._socket, self._lock, over, hello), daemon=True)
        self._finalizer = weakref.finalize(self, _end, self._socket, self._stream, over, beats, self.pid)
        try:
            hello.update(self.greet())
            beats.start()
        except BaseException:
            self.close()
            raise

    @property
    def alive(self) -> bool:
        return not self._closed

    def close(self) -> None:
        self._closed = True
        self._finalizer()

    def _write(self, data: bytes) -> None:
        if self._closed:
            raise OSError("the connection is closed")
        self._socket.sendall(data)

    def _read(self) -> Any:
        return _frames.read(self._stream)

    def _last_words(self, error: BaseException) -> str:
        farewell = self._farewell() if isinstance(error, BrokenPipeError) else None
        self.close()  # an answer that comes too late would be taken for the next one
        how = "did not answer in time" if isinstance(error, TimeoutError) else f"is lost ({farewell or error})"
        return f"The server at {self.address} {how}; the next reset connects again."

    def _farewell(self) -> str | None:
        """Why the server closed the connection, which it wrote while nothing was asked."""
        try:
            self._socket.settimeout(1)
            return _frames.read(self._stream)["error"]["message"]
        except (OSError, ValueError, LookupError, TypeError):
            return None


def _beat(connection: socket.socket, lock: threading.Lock, over: threading.Event, hello: dict[str, Any]) -> None:
    """Says that the client is there, where no request does; nothing answers."""
    beat = b"".join(_frames.encode({"op": "beat"}))
    while not over.wait(hello["beat_seconds"]):
        if not lock.acquire(blocking=False):
            continue
        try:
            connection.sendall(beat)
        except OSError:
            return  # the next request says what is wrong
        finally:
            lock.release()


def _end(connection: socket.socket, stream: Any, over: threading.Event, beats: threading.Thread, pid: int) -> None:
    over.set()
    # garbage may be collected in that very thread; in a forked copy the connection is the parent's
    if os.getpid() == pid and beats.is_alive() and beats is not threading.current_thread():
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)  # it may wait to send
        beats.join(timeout=2)
    stream.close()
    connection.close()


def _connected(address: str) -> socket.socket:
    if address.startswith("unix:"):
        local = socket.socket(socket.AF_UNIX)
        try:
            local.settimeout(_CONNECT_SECONDS)
            local.connect(address[len("unix:") :])
        except BaseException:
            local.close()
            raise
        return local
    url = urlsplit(address)
    if url.scheme not in ("http", "https") or url.hostname is None:
        raise ValueError(f"Expected unix:/path, http://… or https://…, got {address!r}.")
    port = url.port or (443 if url.scheme == "https" else 80)
    remote = socket.create_connection((url.hostname, port), timeout=_CONNECT_SECONDS)
    try:
        remote.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if url.scheme == "https":
            remote = ssl.create_default_context().wrap_socket(remote, server_hostname=url.hostname)
        _upgrade(remote, f"{url.netloc.rpartition('@')[2]}", f"{url.path.rstrip('/')}/env")
    except BaseException:
        remote.close()
        raise
    return remote


def _upgrade(connection: socket.socket, host: str, path: str) -> None:
    """From here on the connection carries frames."""
    token = os.environ.get("VLGYM_TOKEN")
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: Upgrade", "Upgrade: vlgym.env"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        piece = connection.recv(1)  # not a byte of the first frame
        if not piece or len(head) > _MOST_HEADER_BYTES:
            raise OSError("it does not speak HTTP")
        head += piece
    status = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ", 2)[1:]
    if status[:1] == ["101"]:
        return
    hint = "; set VLGYM_TOKEN" if status[:1] == ["401"] else ""
    raise OSError(f"it answered {' '.join(status)}{hint}")
