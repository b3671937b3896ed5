"""Gymnasium and what it brings, where they are installed; without them only `hello` is answered."""

missing = None

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ImportError as error:
    gymnasium = np = spaces = None
    missing = str(error)
