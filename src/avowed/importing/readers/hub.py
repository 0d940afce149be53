"""Data sets of a hub, ``hf://NAME``, through the optional package ``datasets``."""

import re
import socket
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from avowed.importing.input_form import HUB_PREFIX, InputForm
from avowed.importing.raw_table import RawTable
from avowed.importing.readers.arrow_columns import ArrowTable, wanted
from avowed.importing.readers.limits import check_rows
from avowed.importing.readers.names import shown_name
from avowed.refusal import Refused, Unusable

_PART = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
_NAME = re.compile(
    rf"(?P<name>{_PART}(?:/{_PART})?)(?::(?P<config>{_PART}))?(?:@(?P<revision>{_PART}))?"
)
_BATCH_ROWS = 1 << 16
_SHOWN = 300

#: Seconds to wait for the hub to answer at all.
_PATIENCE = 5.0


def read_hub(source: str, how: InputForm, *, columns: Collection[str] | None) -> RawTable:
    """Read one split of a data set.

    A data set that is in the local cache is read from there, without a network. Nothing is
    streamed, and no code of a data set is run.

    Args:
        source: ``hf://NAME``, ``hf://OWNER/NAME``, with ``:CONFIG`` and ``@REVISION`` if needed.
        how: ``split`` and ``features`` are used. Features name every column and its kind:
            ``string``, ``bool``, ``int64``, ``float64``, or one of these in a list, ``[string]``.
        columns: the columns wanted; None for all of a readable type.

    Raises:
        Unusable: the name is none, ``datasets`` is not installed, or the data set is neither in
            the cache nor within reach, or cannot be read as these features.
        Refused: no such split, several splits and none named, a column is not there; no rows.
    """
    found = _NAME.fullmatch(source.removeprefix(HUB_PREFIX))
    if found is None:
        raise Unusable(
            f"{source}: not the name of a data set; write {HUB_PREFIX}OWNER/NAME, and "
            ":CONFIG or @REVISION behind it if needed"
        )
    if Path(found["name"]).exists():
        # The loader would take the folder without a word.
        raise Unusable(
            f"{source}: a file or folder {found['name']} stands here; to read it leave out "
            f"{HUB_PREFIX}; else start from another folder"
        )
    data = _one_split(_loaded(source, found, how), source, how.split)
    chosen = wanted(data.features.arrow_schema, source, columns)
    check_rows(source, len(data), len(chosen))
    table = ArrowTable(file=source, chosen=chosen)
    names = list(dict.fromkeys(leaf.path[0] for leaf in chosen))
    for part in data.select_columns(names).with_format("arrow").iter(batch_size=_BATCH_ROWS):
        for batch in part.combine_chunks().to_batches():
            batch.validate(full=True)
            table.add(batch)
    return table.finish()


def _loaded(source: str, found: "re.Match[str]", how: InputForm) -> Any:
    try:
        import datasets
    except ImportError:
        raise Unusable(
            f"{source}: needs the package datasets, which is not installed; install it, or "
            "download the files and name them"
        ) from None
    if found["name"] in _loaders():
        raise Unusable(
            f"{source}: {found['name']} is the name of a loader and of no data set; it would read "
            "whatever files stand here"
        )
    features = None if how.features is None else _features(how.features)
    datasets.disable_progress_bars()

    def load() -> Any:
        return datasets.load_dataset(
            found["name"],
            found["config"],
            revision=found["revision"],
            features=features,
            streaming=False,
        )

    # The package and those below it raise of every kind; to the user all are one.
    try:
        with _offline():
            return load()
    except Exception as error:
        reason: Exception = error
    if _within_reach():
        try:
            return load()
        except Exception as error:
            reason = error
    told = " ".join(f"{type(reason).__name__}: {reason}".split())[:_SHOWN]
    raise Unusable(
        f"{source}: is not in the local cache and cannot be loaded; load it once where there is a "
        f"network, or name its files instead ({told})"
    )


def _loaders() -> Collection[str]:
    from datasets import packaged_modules

    known: Mapping[str, Any] = packaged_modules._PACKAGED_DATASETS_MODULES
    return known.keys()


@contextmanager
def _offline() -> Iterator[None]:
    """Let the packages look into the local cache only, as HF_HUB_OFFLINE=1 would."""
    import datasets.config
    import huggingface_hub.constants

    modules: tuple[Any, ...] = (datasets.config, huggingface_hub.constants)
    before = [module.HF_HUB_OFFLINE for module in modules]
    try:
        for module in modules:
            module.HF_HUB_OFFLINE = True
        yield
    finally:
        for module, value in zip(modules, before, strict=True):
            module.HF_HUB_OFFLINE = value


def _within_reach() -> bool:
    """Whether the hub may be asked; without this the packages try for half a minute."""
    import huggingface_hub.constants as hub

    if hub.HF_HUB_OFFLINE:
        return False
    if getproxies():
        return True
    address = urlsplit(hub.ENDPOINT)
    port = address.port or (80 if address.scheme == "http" else 443)
    try:
        socket.create_connection((address.hostname or "", port), timeout=_PATIENCE).close()
    except OSError:
        return False
    return True


def _features(kinds: Mapping[str, str]) -> Any:
    """The kinds of the columns as the package wants them."""
    import datasets

    built: dict[str, Any] = {}
    for name, kind in kinds.items():
        inner = kind.removeprefix("[").removesuffix("]")
        try:
            value = datasets.Value(inner)
        except ValueError:
            raise Unusable(
                f"input.features.{name}: found {kind!r}; say string, bool, int64 or float64, or "
                "one of these in brackets for a list"
            ) from None
        built[name] = datasets.List(value) if kind != inner else value
    return datasets.Features(built)


def _one_split(loaded: Any, source: str, split: str | None) -> Any:
    splits = {str(name): part for name, part in loaded.items()}
    if split is None and len(splits) == 1:
        return next(iter(splits.values()))
    if split not in splits:
        found = "is not named" if split is None else f"{shown_name(split)} is not there"
        raise Refused(f"{source}: the split {found}; say input.split, one of {', '.join(splits)}")
    return splits[split]
