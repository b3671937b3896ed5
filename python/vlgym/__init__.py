"""Environments for vision-language agents, as Gymnasium environments.

Importing registers every id under `vlgym/` and starts no process.
"""

from . import spaces
from ._node import find_node
from ._peer import VlgymError
from ._registry import ids, register_all, version
from .dialogue import Dialogue, Turn
from .env import VlgymEnv
from .vector import VlgymVectorEnv

__version__ = version()
__all__ = ["Dialogue", "Turn", "VlgymEnv", "VlgymError", "VlgymVectorEnv", "find_node", "ids", "spaces"]

register_all()
