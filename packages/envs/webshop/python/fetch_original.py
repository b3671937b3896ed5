"""Fetches WebShop's text environment from its repository, and Anserini's search engine from the package pyserini.

Arguments: the folder of the sources, or "-" to leave them out; the folder of the search engine.
"""
import hashlib
import io
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
import zipfile

COMMIT = "64fa2a5c15c7daa698b9ac93f5bb5437b634c9bd"
ADDRESS = f"https://codeload.github.com/princeton-nlp/WebShop/tar.gz/{COMMIT}"
INSIDE = f"WebShop-{COMMIT}/"
# the archive is packed anew at times; the files in it stay
SHA256 = {
    "web_agent_site/engine/engine.py": "9b86ffc82951124f5c4a7eb8103de14100dbee11ba8869951ed6fb8feaeef804",
    "web_agent_site/engine/goal.py": "9703c8583244e2041182eb14856186b998145ab16ce2ba9aef8cb680877c8ed5",
    "web_agent_site/engine/normalize.py": "1962113ac9e209a636d4f181b2c70544bbea59b03adca9847e48287158d794fb",
    "web_agent_site/envs/web_agent_text_env.py": "f4efee238c2a69ad76ff5372716a16051c67ea0351c7006491834822ea9afda3",
    "web_agent_site/utils.py": "bdd6df3b869cf3fe028169add3611d1b811ae663ae4f79520617c26b20614970",
    "web_agent_site/templates/attributes_page.html": "f19f4e58656e3be297f9cc86b98cb04b571d84114114c07404f81e0079e3875f",
    "web_agent_site/templates/description_page.html": "77bdb3e51c647a1b009f17ff5e40c7df62c2c8fb16c43cd0f84783e20f3b2a7a",
    "web_agent_site/templates/done_page.html": "6da5b494522666f0644b948e5c2c5a0e5c5104926f3c643c7828ff653d5e8eb9",
    "web_agent_site/templates/features_page.html": "d10df82cad8c34d698a8c1e267ffd97631fe4edfcc39a89ed187362573872ac0",
    "web_agent_site/templates/item_page.html": "f6a11e5a3ffbada7cc5fbb26568ae971be84811d5d4f0d0a7043218a52906987",
    "web_agent_site/templates/results_page.html": "4d448f7ee6c21f55bc4dfcf4952e37d3594f59996988c431d23db9cd38ea2777",
    "web_agent_site/templates/review_page.html": "c1238f7ef89e186ec5817f04d6727c90ba1d41ad7481255e673920eb4804f464",
    "web_agent_site/templates/search_page.html": "fb4cdae0b21f17a33ac56a47389e96595991838461502f2fad140ef53521a601",
}
PYSERINI = "pyserini==0.17.0"  # as in WebShop's requirements.txt
JAR = "anserini-0.14.3-fatjar.jar"


def fetch_sources(target):
    try:
        with urllib.request.urlopen(ADDRESS, timeout=60) as response:
            archive = tarfile.open(fileobj=io.BytesIO(response.read()), mode="r:gz")
    except (urllib.error.URLError, TimeoutError) as error:
        sys.exit(f"cannot fetch {ADDRESS}: {error}")
    for name, digest in SHA256.items():
        data = archive.extractfile(INSIDE + name).read()
        if hashlib.sha256(data).hexdigest() != digest:
            sys.exit(f"{name} differs from the one that was verified")
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def fetch_engine(target):
    """Only the Java archive of the package: its Python part needs PyTorch."""
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-input", "--progress-bar", "off"]
        subprocess.run([*pip, PYSERINI, "-d", folder], check=True)
        wheel = next(pathlib.Path(folder).glob("pyserini-*.whl"))
        with zipfile.ZipFile(wheel) as package:
            (target / JAR).write_bytes(package.read(f"pyserini/resources/jars/{JAR}"))


if sys.argv[1] != "-":
    fetch_sources(pathlib.Path(sys.argv[1]))
fetch_engine(pathlib.Path(sys.argv[2]))
