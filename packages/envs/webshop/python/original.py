"""Plays WebShop's own text environment, for `vlgym verify webshop`.

Arguments: the folder that holds web_agent_site; the search engine's Java archive, or "-". A request and an answer are one
line of JSON each.

What the text environment imports but does not use is replaced by empty modules. Two parts are replaced for the comparison:
the tagger of nouns (a request brings the lists), and, where there is no Java, the search (a request brings the results).
"""
import importlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import types

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # whatever the libraries print
SOURCES, JAR = sys.argv[1:3]


def stub(name, **members):
    module = types.ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module


class Token:
    pos_ = "NOUN"

    def __init__(self, text):
        self.text = text


NOUNS = {}
stub("gym", Env=object)
stub("torch")
stub("cleantext")
stub("rank_bm25", BM25Okapi=None)
stub("rich", print=lambda *_: None)
stub("tqdm", tqdm=lambda items, **_: items)
stub("pyserini")
stub("pyserini.search")
stub("pyserini.search.lucene", LuceneSearcher=None)
stub("spacy", load=lambda _: lambda title: [Token(noun) for noun in NOUNS[title]])
for name in ("web_agent_site", "web_agent_site.envs"):  # without their __init__, which needs a browser
    stub(name, __path__=[str(pathlib.Path(SOURCES, *name.split(".")))])
sys.path.insert(0, SOURCES)

import web_agent_site.utils as utils  # noqa: E402


class Hit:
    def __init__(self, docid, score=0.0):
        self.docid, self.score = docid, score


class Document:
    def __init__(self, docid):
        self.docid = docid

    def raw(self):
        return json.dumps({"id": self.docid})


class GivenSearch:
    """Results that a request brought."""

    results = {}

    def search(self, words, k):
        return [Hit(asin) for asin in self.results[words][:k]]

    def doc(self, docid):
        return Document(docid)


class Lucene(GivenSearch):
    """Anserini, as pyserini calls it; indexed with the options of search_engine/run_indexing.sh."""

    def __init__(self, documents):
        folder = tempfile.mkdtemp(prefix="vlgym-webshop-")
        pathlib.Path(folder, "documents").mkdir()
        with open(os.path.join(folder, "documents", "documents.jsonl"), "w") as file:
            for document in documents:
                file.write(json.dumps(document) + "\n")
        index = os.path.join(folder, "index")
        options = ["-collection", "JsonCollection", "-generator", "DefaultLuceneDocumentGenerator", "-threads", "1"]
        stored = ["-storePositions", "-storeDocvectors", "-storeRaw"]
        places = ["-input", os.path.join(folder, "documents"), "-index", index]
        command = ["java", "-cp", JAR, "io.anserini.index.IndexCollection", *options, *places, *stored]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        import jnius_config

        if not jnius_config.vm_running:
            jnius_config.set_classpath(JAR)
        from jnius import autoclass

        self.text = autoclass("java.lang.String")
        self.searcher = autoclass("io.anserini.search.SimpleSearcher")(self.text(index.encode()))

    def search(self, words, k):
        found = self.searcher.search(self.text(words.encode()), k)
        return [Hit(hit.docid, hit.score) for hit in found]


def document(product):
    """As search_engine/convert_product_file_format.py writes it."""
    options = [f"{name}: {', '.join(values)}" for name, values in product["options"].items()]
    parts = [product["Title"], product["Description"], product["BulletPoints"][0], ", and ".join(options)]
    return {"id": product["asin"], "contents": " ".join(parts).lower()}


env = None


def load(products, attributes, human, human_goals, price_seed, nouns):
    """Opens a shop. The original seeds no prices; a seed makes them comparable."""
    global env
    utils.DEFAULT_ATTR_PATH, utils.HUMAN_ATTR_PATH = attributes, human
    for name in [each for each in sys.modules if each.startswith("web_agent_site.e") and each != "web_agent_site.envs"]:
        del sys.modules[name]
    import web_agent_site.engine.engine as engine

    with open(nouns) as file:
        NOUNS.update(json.load(file))
    text_env = importlib.import_module("web_agent_site.envs.web_agent_text_env")
    text_env.init_search_engine = lambda num_products=None: GivenSearch()
    random.seed(price_seed)
    env = text_env.WebAgentTextEnv(observation_mode="text", file_path=products, human_goals=human_goals, session=None)
    if JAR != "-":
        env.server.search_engine = Lucene([document(product) for product in env.server.all_products])
    engine.read_html_template = cached(engine.read_html_template)
    goals = [[goal["instruction_text"], goal["weight"], goal["price_upper"]] for goal in env.server.goals]
    return {"goals": goals, "prices": env.server.product_prices, "lucene": JAR != "-"}


def cached(read):
    kept = {}

    def again(path):
        if path not in kept:
            kept[path] = read(path)
        return kept[path]

    return again


def play(goal, mode, actions, results):
    """An episode of given actions."""
    GivenSearch.results = results
    env.observation_mode = mode
    env.server.user_sessions.clear()
    observation, _ = env.reset(session=goal)
    rows = [[observation, env.state["url"], env.get_available_actions()]]
    for action in actions:
        observation, reward, done, _ = env.step(action)
        rows.append([observation, env.state["url"], env.get_available_actions(), float(reward), bool(done)])
    session = env.server.user_sessions[str(goal)]
    parts = {name: float(value) for name, value in session.get("verbose_info", {}).items()}
    return {"rows": rows, "parts": parts}


def search(queries):
    engine = env.server.search_engine
    return [[[hit.docid, float(hit.score)] for hit in engine.search(query, k=50)] for query in queries]


for line in sys.stdin:
    try:
        request = json.loads(line)
        answer = {"answer": {"load": load, "play": play, "search": search}[request.pop("do")](**request)}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
