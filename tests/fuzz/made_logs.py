"""Small Inspect logs of our own making, in every packing that Inspect has used."""

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
ZSTANDARD = 93

HEADER: dict[str, Any] = {
    "version": 2,
    "status": "success",
    "eval": {"task": "hints", "model": "mock/model", "task_args": {"hint": "suggested"}},
}


def sample(number: int, **changes: Any) -> dict[str, Any]:
    """A sample as Inspect logs it, without its transcript."""
    return {
        "id": f"q{number}",
        "epoch": 1,
        "input": "Which of them is blue?",
        "choices": ["grass", "sky", "snow"],
        "target": "B",
        "messages": [{"role": "user", "content": "Which of them is blue?"}],
        "output": {
            "model": "mock/model",
            "choices": [{"message": {"content": "ANSWER: C"}, "stop_reason": "stop"}],
            "completion": "ANSWER: C",
        },
        "scores": {
            "choice": {"value": "I", "answer": "C", "explanation": "ANSWER: C", "history": []},
            "judge": {"value": {"avowed": 0, "phi": 0.25}, "metadata": {"quote": "you said C"}},
        },
        "metadata": {"hint": "C", "baseline": {"answer": "B"}},
        **changes,
    }


def members(samples: list[dict[str, Any]]) -> dict[str, bytes]:
    """The members of a log with these samples."""
    files = {"_journal/start.json": HEADER, "header.json": HEADER}
    named = {f"samples/{each['id']}_epoch_{each['epoch']}.json": each for each in samples}
    return {name: json.dumps(each).encode() for name, each in {**files, **named}.items()}


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip file; Zstandard is written by hand, for the standard library cannot."""
    if method == ZSTANDARD:
        return _zstandard(files)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, raw in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0)), raw, method)
    return target.getvalue()


def _zstandard(files: Mapping[str, bytes]) -> bytes:
    body, directory = b"", b""
    for name, raw in files.items():
        packed = pa.compress(raw, codec="zstd", asbytes=True)
        label = name.encode()
        common = (20, 0, ZSTANDARD, 0, 0x21, zlib.crc32(raw), len(packed), len(raw), len(label), 0)
        directory += _CENTRAL.pack(b"PK\1\2", 20, *common, 0, 0, 0, 0, len(body)) + label
        body += _LOCAL.pack(b"PK\3\4", *common) + label + packed
    n_files = len(files)
    end = _END.pack(b"PK\5\6", 0, 0, n_files, n_files, len(directory), len(body), 0)
    return body + directory + end
