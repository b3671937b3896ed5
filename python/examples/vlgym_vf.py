"""An environment of verifiers: `vf-eval vlgym_vf --taskset.env vlgym/Blackjack-v1 …`, with this folder on PYTHONPATH."""

from vlgym.verifiers import VlgymEnv, VlgymTaskset

__all__ = ["VlgymEnv", "VlgymTaskset"]
