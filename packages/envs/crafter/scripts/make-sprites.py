"""Writes src/pictures/sprites.generated.ts from the PNG files of `pip install crafter==1.8.3` (MIT) and needs Pillow.

The sprites stand below each other in one picture, in the order of SPRITES in src/pictures/sprites.ts."""
import base64
import io
import pathlib
import re

import crafter
from PIL import Image

package = pathlib.Path(__file__).parent.parent
names = re.findall(r"'([\w-]+)'", re.search(r"SPRITES = \[(.*?)\]", (package / "src/pictures/sprites.ts").read_text(), re.S)[1])
atlas = Image.new("RGBA", (16, 16 * len(names)))
for row, name in enumerate(names):
    sprite = Image.open(pathlib.Path(crafter.__file__).parent / "assets" / f"{name}.png").convert("RGBA")
    assert sprite.size == (16, 16), name
    atlas.paste(sprite, (0, 16 * row))
file = io.BytesIO()
atlas.save(file, "PNG", optimize=True)
(package / "src/pictures/sprites.generated.ts").write_text(
    "/** Made by scripts/make-sprites.py. Sprites of danijar/crafter 1.8.3: MIT license, Copyright (c) 2021 Danijar Hafner. */\n"
    f"export const SPRITE_ATLAS =\n  '{base64.b64encode(file.getvalue()).decode()}';\n"
)
