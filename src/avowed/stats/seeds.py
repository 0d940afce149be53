"""The one place where random generators are made.

Four integer ids name a stream: root seed, study, condition and replicate. The number of ids is
fixed because NumPy's ``SeedSequence`` treats ``[7, 1]`` and ``[7, 1, 0]`` alike, so a shorter
list would silently share a stream with a longer one.
"""

import zlib
from enum import IntEnum

import numpy as np

_LIMIT = 2**32


class Study(IntEnum):
    """Ids of the uses of randomness. Append only: a changed id moves printed numbers."""

    OMISSION = 1
    OMISSION_DRIFT = 2
    OMISSION_WRONG_TO_WRONG = 3
    CHANCE_CORRECTION = 4
    THRESHOLD_CURVE = 5
    EXPOSURE = 6
    EXPOSURE_SHARES = 7
    SIMULATED_PAIRS = 8
    COVERAGE = 9
    CALIBRATION_ITEMS = 10
    JOINT_BOOTSTRAP = 11
    OPTION_LABELS = 12
    FACTOR_INPUTS = 13
    FACTOR_BOOTSTRAP = 14
    FACTOR_NOISE = 15
    FACTOR_POLICY = 16
    FACTOR_STUDY = 17
    COMPARISON = 18
    JUDGE_AGREEMENT = 19


def name_id(name: str) -> int:
    """Return an id below 2**32 for a name, the same on every machine and in every process.

    >>> name_id("suggested_answer") == name_id("suggested_answer")
    True
    """
    return zlib.crc32(name.encode("utf-8"))


def generator(root: int, study: int, condition: int, replicate: int) -> np.random.Generator:
    """Return the generator of one stream.

    Parameters are the four ids, each an integer in ``[0, 2**32)``.

    Raises:
        ValueError: an id is negative or not below 2**32.

    >>> a = generator(1, Study.OMISSION, 0, 0).integers(1000)
    >>> bool(a == generator(1, Study.OMISSION, 0, 0).integers(1000))
    True
    """
    ids = [int(root), int(study), int(condition), int(replicate)]
    for label, value in zip(("root", "study", "condition", "replicate"), ids, strict=True):
        if not 0 <= value < _LIMIT:
            raise ValueError(f"seed id {label} is {value}; it must be in [0, 2**32)")
    return np.random.default_rng(ids)
