"""Makes src/baba/words.generated.ts: tiles of rule blocks as nacloos/baba-is-ai (MIT) at ad466e02 draws them with OpenCV 5.

    git clone https://github.com/nacloos/baba-is-ai && pip install ./baba-is-ai opencv-python-headless==5.0.0.93 gym==0.26.2 numpy matplotlib
    python scripts/baba-words.py > src/baba/words.generated.ts

OpenCV 4 writes other letters.
"""

import numpy as np
from baba.grid import BabaIsYouGrid
from baba.world_object import RuleIs, RuleObject, RuleProperty

BLOCKS = {
    **{word: RuleObject(word) for word in ["ball", "key", "door", "wall", "baba"]},
    "is": RuleIs(),
    **{word: RuleProperty(word) for word in ["you", "win", "stop"]},
}


def runs(tile):
    """Gray levels and how often each comes, in base 36."""
    found = []
    for level in tile.reshape(-1):
        if found and found[-1][0] == level:
            found[-1][1] += 1
        else:
            found.append([level, 1])
    return ",".join(
        np.base_repr(level, 36).lower() + ("" if count == 1 else f"*{np.base_repr(count, 36).lower()}")
        for level, count in found
    )


print("/** Made by scripts/baba-words.py: gray levels of 32 rows of 32 pixels, and after `*` how many are alike; base 36. */")
print("export const WORD_TILES: Readonly<Record<string, string>> = {")
for word, block in BLOCKS.items():
    tile = np.asarray(BabaIsYouGrid.render_tile(block, tile_size=32)).astype(np.uint8)[:, :, 0]
    print(f"  {word}:\n    '{runs(tile)}',")
print("};")
