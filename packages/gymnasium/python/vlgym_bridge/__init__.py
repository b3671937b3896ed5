"""Parts of bridge.py. A package, so that none of their names hides a module of an environment."""
