"""Environments for vision-language agents, as Gymnasium environments.

Importing registers every id under `vlgym/` and starts no process, unless VLGYM_REGISTER names packages or servers.
"""

from . import spaces
from ._node import find_node
from ._peer import VlgymError
from ._foreign import register_from, register_named
from ._registry import ids, register_all, version
from .dialogue import Dialogue, Turn
from .env import VlgymEnv
from .vector import VlgymVectorEnv

__version__ = version()
__all__ = ["Dialogue", "Turn", "VlgymEnv", "VlgymError", "VlgymVectorEnv", "find_node", "ids", "register_from", "spaces"]

register_all()
register_named()
