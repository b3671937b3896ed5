"""Reads exports with the programs that they are for, and prints what they say as JSON: `python read.py WHAT PATH`."""

import hashlib
import json
import sys


def parquet(path):
    import datasets
    import pandas
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    frame = pandas.read_parquet(path)
    rows = datasets.load_dataset("parquet", data_files=path, split="train", cache_dir=path + ".cache")
    pictures = [image for row in rows for image in row["images"]]
    return {
        "columns": table.column_names,
        "rows": table.num_rows,
        "total": float(frame["reward"].sum()),
        "row": {name: rows[0][name] for name in ("reward", "return", "seed", "env", "episode", "step")},
        "prompt": [part["type"] for part in rows[0]["prompt"][-1]["content"]],
        "pictures": len(pictures),
        "pixels": hashlib.sha256(pictures[0].convert("RGB").tobytes()).hexdigest() if pictures else None,
    }


def jsonl(path):
    import datasets

    rows = datasets.load_dataset("json", data_files=path, split="train", cache_dir=path + ".cache")
    return {"rows": len(rows), "columns": rows.column_names, "return": rows[0]["return"]}


def inspect(path):
    from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

    log = read_eval_log(path)
    header = read_eval_log(path, header_only=True)
    scores = {score.name: {m.name: m.value for m in score.metrics.values()} for score in header.results.scores}
    sample = log.samples[0]
    return {
        "task": header.eval.task,
        "model": header.eval.model,
        "samples": len(log.samples),
        "summaries": len(read_eval_log_sample_summaries(path)),
        "scores": scores,
        "success": [sample.scores["success"].value for sample in log.samples if "success" in sample.scores],
        "roles": [message.role for message in sample.messages],
        "images": sum(
            part.type == "image"
            for message in sample.messages
            if isinstance(message.content, list)
            for part in message.content
        ),
        "calls": [call.function for message in sample.messages for call in (getattr(message, "tool_calls", None) or [])],
    }


def tensorboard(folder):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.backend.event_processing import event_accumulator

    events = EventAccumulator(folder, size_guidance={event_accumulator.IMAGES: 0})
    events.Reload()
    tags = events.Tags()["images"]
    first = events.Images(tags[0])
    import io

    from PIL import Image

    picture = Image.open(io.BytesIO(first[0].encoded_image_string))
    return {
        "tags": tags,
        "steps": {tag: [event.step for event in events.Images(tag)] for tag in tags},
        "size": [first[0].width, first[0].height],
        "decoded": list(picture.size),
    }


def mlflow(server, experiment):
    from mlflow.tracking import MlflowClient

    client = MlflowClient(server)
    found = client.get_experiment_by_name(experiment)
    (run,) = client.search_runs([found.experiment_id])
    history = client.get_metric_history(run.info.run_id, "train/return")
    return {
        "name": run.info.run_name,
        "status": run.info.status,
        "params": run.data.params,
        "steps": [metric.step for metric in sorted(history, key=lambda metric: metric.step)],
        "values": [metric.value for metric in sorted(history, key=lambda metric: metric.step)],
    }


def trackio(project):
    from trackio.sqlite_storage import SQLiteStorage

    (run,) = SQLiteStorage.get_runs(project)
    logs = SQLiteStorage.get_logs(project, run)
    return {"run": run, "steps": [log["step"] for log in logs], "values": [log["train/return"] for log in logs]}


print("\n" + json.dumps({name: function for name, function in globals().items() if callable(function)}[sys.argv[1]](*sys.argv[2:])))
