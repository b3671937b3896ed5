"""Environments that this package does not bring: of a server, or of a JavaScript package of one's own."""

from __future__ import annotations

import os
import re
from typing import Any

import gymnasium

from . import _registry
from ._attached import Attached
from ._node import NodeProcess

_ADDRESS = re.compile(r"(unix:|https?://)")
_ENTRY_POINT = "vlgym:VlgymEnv"


def register_from(source: str, timeout: float | None = None) -> list[str]:
    """Registers the environments of a server or of a JavaScript package, and returns their ids for `gymnasium.make`.

    Args:
        source: The address of `vlgym serve ... --protocol gymnasium` (`unix:/path`, `http://host:port`), or a package
            that is installed in the working directory, or the path of a JavaScript file (`./index.js`). Its code runs,
            in a Node process.
        timeout: Seconds of one call to a server.

    An id with a namespace keeps it (`my/Sokoban-v0`), one without goes under `vlgym/`. A second call replaces the first.

    Raises:
        ConnectionError: No server answers at the address.
        VlgymError: The package cannot be imported (`IMPORT_FAILED`).
        ValueError: Nothing is registered there, or an id belongs to another package of Python.
    """
    is_address = _ADDRESS.match(source) is not None
    module = "" if is_address else _absolute(source)
    peer = Attached(source, timeout) if is_address else NodeProcess()
    try:
        listed = peer.ask("list", module=module)["environments"]
    finally:
        peer.close()
    if not listed:
        raise ValueError(f"{source} registers no environments: call register({{ id, entryPoint }}) when it is imported.")
    names = {_name_of(each["id"]): each for each in listed}
    for name in names:
        known = gymnasium.registry.get(name)
        if known is not None and known.entry_point != _ENTRY_POINT:
            raise ValueError(f"{name} is registered by {known.entry_point}; choose another id in {source}.")
    for name, each in names.items():
        _register(name, each, module, source if is_address else None)
    return list(names)


def register_named() -> None:
    """Those of VLGYM_REGISTER, separated by commas: for `gymnasium.make("vlgym:my/Sokoban-v0")` in any process."""
    for source in filter(None, map(str.strip, os.environ.get("VLGYM_REGISTER", "").split(","))):
        register_from(source)


def _register(name: str, listed: dict[str, Any], module: str, connect: str | None) -> None:
    spec = listed["id"]
    entry = {"id": name, "spec": spec, "module": module, "connect": connect}
    _registry.add(entry)
    gymnasium.registry.pop(name, None)
    gymnasium.register(
        id=name,
        entry_point=_ENTRY_POINT,
        vector_entry_point="vlgym:VlgymVectorEnv",
        nondeterministic=listed["nondeterministic"],
        max_episode_steps=None,  # the limit of steps runs in Node
        # whole, for a process that has not registered it
        kwargs={"spec_id": _registry.whole(entry), **({"connect": connect} if connect else {})},
    )


def _absolute(module: str) -> str:
    """A path stays the same file when the working directory changes; a package is looked up from there."""
    return os.path.abspath(module) if module.startswith((".", os.sep)) else module


def _name_of(spec: str) -> str:
    known = _registry.bundled(spec)
    if known is not None:
        return known["id"]
    if re.fullmatch(r"[\w-]+/[\w.-]+", spec):
        return spec
    return "vlgym/" + re.sub(r"[^\w.-]+", "-", spec)
