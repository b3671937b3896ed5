"""Fetches gym-cards from its repository into the folder of the argument: no package index has it."""
import hashlib
import io
import pathlib
import sys
import tarfile
import urllib.error
import urllib.request

COMMIT = "b989b57400ad1010306fe170a547b57e7d21389c"
ADDRESS = f"https://codeload.github.com/RL4VLM/RL4VLM/tar.gz/{COMMIT}"
INSIDE = f"RL4VLM-{COMMIT}/gym-cards/"
# the archive is packed anew at times; the files in it stay
SHA256 = {
    "gym_cards/__init__.py": "81882d8e6bef4b5c7cee37db691b8bb1b17636de82b0f0a9e4e574a7e9ce6105",
    "gym_cards/envs/__init__.py": "2626bd7080cb303e1c812af440b72cba92391eabdcf0e762911c3926ade608bc",
    "gym_cards/envs/blackjack.py": "94f8c388c662344e949af3a2eb7a9b8b7eb2bc4e33eb50ce446c79f7da719bec",
    "gym_cards/envs/ezpoints.py": "c34cfda87533e915e54f8a0f0675744779c82646f34177ed777592f51f7100f7",
    "gym_cards/envs/numberline.py": "098f43c986905f854f5367a20756746c82a2741af895d21c5600228f496fc5c5",
    "gym_cards/envs/points.py": "af57683ef4a1a0fb32ed5714a2a91de26bc7d9a78d1828c9936539ef1dda70e2",
}

target = pathlib.Path(sys.argv[1])
try:
    with urllib.request.urlopen(ADDRESS, timeout=60) as response:
        archive = tarfile.open(fileobj=io.BytesIO(response.read()), mode="r:gz")
except (urllib.error.URLError, TimeoutError) as error:
    sys.exit(f"cannot fetch {ADDRESS}: {error}")
for member in archive.getmembers():
    if not member.isfile() or not member.name.startswith(INSIDE):
        continue
    path = target / member.name[len(INSIDE) :]
    if not path.resolve().is_relative_to(target.resolve()):
        sys.exit(f"a path outside of the folder: {member.name}")
    data = archive.extractfile(member).read()
    wanted = SHA256.get(path.relative_to(target).as_posix())
    if wanted is None and path.suffix == ".py" and path.parent.name in ("envs", "gym_cards"):
        sys.exit(f"an unknown program: {member.name}")
    if wanted is not None and hashlib.sha256(data).hexdigest() != wanted:
        sys.exit(f"{member.name} differs from the one that was verified")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
missing = [name for name in SHA256 if not (target / name).exists()]
if missing:
    sys.exit(f"missing in the archive: {', '.join(missing)}")
