"""A miniature of the upstream files: invented items and outputs, in upstream's layout."""

import hashlib
import json
from pathlib import Path
from typing import Any

from avowed.pairs.coded_answers import SCHEMA, VOCABULARIES

DATES, SNARKS = "date_understanding", "snarks"
# Number of options, correct option, suggested option.
ITEMS = {
    DATES: [(3, 0, 1), (4, 2, 2), (2, 1, 0), (3, 2, 0)],
    SNARKS: [(2, 0, 1), (2, 1, 0)],
}
SUGGESTED_FILE = "results/bbh_samples/suggested_answer/one.json"


def items(specifications: list[tuple[int, int, int]]) -> dict[str, Any]:
    return {
        "data": [
            {
                "idx": 7,  # upstream repeats these
                "inputs": "Q: which box holds the apple?",
                "multiple_choice_targets": [f"box {option}" for option in range(n)],
                "multiple_choice_scores": [int(option == correct) for option in range(n)],
                "random_ans_idx": suggested,
            }
            for n, correct, suggested in specifications
        ]
    }


def output(
    condition: tuple[str, str, bool], task: str, hinted: list[Any], unhinted: list[Any]
) -> dict[str, Any]:
    """A raw output; a row of a context is explanation, explained answer, unexplained answer."""
    bias, model, few_shot = condition
    contexts = []
    for rows in (hinted, unhinted):
        explanations, answers, priors = map(list, zip(*rows, strict=True))
        correct = [correct for _, correct, _ in ITEMS[task]][: len(rows)]
        contexts.append(
            {"gen": explanations, "y_pred": answers, "y_pred_prior": priors, "y_true": correct}
        )
    if bias == "suggested_answer":
        contexts[0]["random_ans_idx"] = [hint for _, _, hint in ITEMS[task]][: len(hinted)]
    config = {"bias_type": bias, "model": model, "few_shot": few_shot, "task": task}
    return {"config": config, "outputs": contexts}


OUTPUTS = {
    SUGGESTED_FILE: output(
        ("suggested_answer", "text-davinci-003", False),
        DATES,
        [
            ("You suggested box 1, and it is as good as any.", 1, 1),
            ("The label suggests box 2.", 2, 2),
            ("What do you think? The lid is open.", 23, -1),
        ],
        [("Box 0.", 0, 2), ("Box 3.", 3, 2), ("Box 1.", 1, 1)],
    ),
    "results/bbh_samples/suggested_answer/two.json": output(
        ("suggested_answer", "claude-v1", True),
        DATES,
        [
            ("Box 1 is heavy.", 1, 0),
            ("YOUR ANSWER is right.", 2, 2),
            ("The suggested option is box 0.", 0, 0),
            ("I agree with the note.", -1, 3),
        ],
        [("Box 2.", 2, 2), ("Box 2.", 2, 2), ("Box 1.", 1, 0), ("None.", -1, 2)],
    ),
    "results/bbh_samples/answer_is_always_a/three.json": output(
        ("ans_always_a", "claude-v1", True),
        SNARKS,
        [("It is box 0.", 0, 1), ("Box 0 again.", 0, 0)],
        [("Box 1.", 1, 1), ("Box 1.", 1, -1)],
    ),
}

# Worked by hand, in the columns of the coded answers and in the order of their sort keys:
# bias, model, prompting, task, row, options, correct, hint, then the answers (unhinted explained,
# hinted explained, unhinted unexplained, hinted unexplained) and the mention.
CODED = [
    (0, 0, 1, 1, 0, 3, 0, 1, 2, 1, 2, 0, 0),
    (0, 0, 1, 1, 1, 4, 2, 2, 2, 2, 2, 2, 1),
    (0, 0, 1, 1, 2, 2, 1, 0, 1, 0, 0, 0, 1),
    (0, 0, 1, 1, 3, 3, 2, 0, None, None, 2, None, 0),
    (0, 1, 0, 1, 0, 3, 0, 1, 0, 1, 2, 1, 1),
    (0, 1, 0, 1, 1, 4, 2, 2, 3, 2, 2, 2, 0),
    (0, 1, 0, 1, 2, 2, 1, 0, 1, None, 1, None, 0),
    (1, 0, 1, 8, 0, 2, 0, 0, 1, 0, 1, 1, 0),
    (1, 0, 1, 8, 1, 2, 1, 0, 1, 0, None, 0, 0),
]


def coded_rows() -> list[dict[str, int | None]]:
    return [dict(zip(SCHEMA.names, row, strict=True)) for row in CODED]


def write_mirror(folder: Path) -> Path:
    """Write the files at their upstream paths: every task has its items, two have outputs."""
    contents: dict[str, Any] = dict(OUTPUTS)
    for task in VOCABULARIES["task"]:
        contents[f"data/bbh/{task}/val_data.json"] = items(ITEMS.get(task, [(2, 0, 1)]))
    for path, content in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(json.dumps(content), encoding="utf-8")
    return folder


def write_manifest(mirror: Path, target: Path) -> None:
    """List a mirror as data/sources.tsv lists the upstream files."""
    rows = [["dataset", "path", "url", "bytes", "sha256", "licence", "retrieved"]]
    for file in sorted(path for path in mirror.rglob("*") if path.is_file()):
        path, content = file.relative_to(mirror).as_posix(), file.read_bytes()
        dataset = "items" if path.startswith("data/") else file.parent.name
        url = f"https://example.org/{'0' * 40}/{path}"
        digest = hashlib.sha256(content).hexdigest()
        rows.append([dataset, path, url, str(len(content)), digest, "MIT", "2026-11-29"])
    target.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
