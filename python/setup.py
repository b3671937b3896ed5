"""In a clone, the JavaScript is bundled before the package is built: `node scripts/python-package.mjs`."""

import subprocess
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent
SCRIPT = HERE.parent / "scripts" / "python-package.mjs"

if not (HERE / "vlgym" / "_specs.json").exists():
    if not SCRIPT.exists():
        raise SystemExit("vlgym/_specs.json is missing; build the package from a clone of the repository.")
    subprocess.run(["node", str(SCRIPT)], check=True, cwd=HERE.parent)

setup()
