"""Inspect logs (``.eval``): a zip file of one JSON document per sample, read without Inspect.

Newer logs are packed with Zstandard (zip method 93), which the standard library of these Python
versions cannot unpack; Arrow can.
"""

import json
import re
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from avowed.importing.raw_table import RawTable
from avowed.importing.readers.inspect_samples import header_columns, row_of
from avowed.importing.readers.limits import MAX_DOCUMENT, MAX_UNPACKED, check_rows
from avowed.importing.readers.records import RecordTable
from avowed.importing.readers.stream import opened
from avowed.refusal import Refused, Unusable
from avowed.strict_json import unique_keys

_SAMPLE = re.compile(r"samples/.+_epoch_\d+\.json")
# A long sample is a folder: the sample without its metadata, and its transcript in pieces.
_SHELL = re.compile(r"(samples/.+_epoch_\d+)/sample\.json")

#: A finished log has the first; one whose run was broken off has the second only.
_HEADERS = ("header.json", "_journal/start.json")

_ZSTANDARD = 93
_LOCAL_MARK = b"PK\3\4"
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_ENCRYPTED = 0x1
_SHOWN = 200

# What the zip reader raises for damaged files, besides BadZipFile.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    LookupError,
    OverflowError,
    # An unknown method of compression is one of these too.
    RuntimeError,
    ValueError,
    pa.ArrowException,
)


def read_inspect(path: Path, file: str, *, columns: Collection[str] | None) -> RawTable:
    """Read the samples of an Inspect log, in the order of the archive.

    A sample that was logged again replaces the earlier one, as Inspect itself reads it.

    Args:
        path: the log.
        file: its name in messages.
        columns: the columns wanted; None for all. `avowed.importing.readers.inspect_samples` says
            what they are called.

    Raises:
        Unusable: no zip file, damaged, or no Inspect log.
        Refused: no samples, or larger than the bounds; else as `RecordTable`.
    """
    with opened(path, file) as source:
        try:
            with zipfile.ZipFile(source) as archive:
                members = _Members(archive, source, file)
                return _table(members, file, columns)
        except _DAMAGE as error:
            reason = " ".join(str(error).split())[:_SHOWN]
            raise Unusable(f"{file}: not a readable Inspect log: {reason}") from None


def _table(members: "_Members", file: str, columns: Collection[str] | None) -> RawTable:
    header_name = next((name for name in _HEADERS if name in members.names), None)
    if header_name is None:
        raise Unusable(f"{file}: not an Inspect log: it has neither {' nor '.join(_HEADERS)}")
    document = members.document(header_name)
    header = header_columns(document if isinstance(document, dict) else {})
    table = RecordTable(file=file, row_word="row", columns=columns)
    for number, sample in enumerate(_samples(members), start=1):
        table.add([row_of(sample, header, f"{file}, row {number}")])
    return table.finish()


def _samples(members: "_Members") -> Iterator[Any]:
    for name in members.names:
        if shell := _SHELL.fullmatch(name):
            sample = members.document(name)
            metadata = f"{shell[1]}/metadata.json"
            if isinstance(sample, dict) and metadata in members.names:
                sample["metadata"] = members.document(metadata)
            yield sample
        elif _SAMPLE.fullmatch(name):
            yield members.document(name)


class _Members:
    """The documents in a log, each unpacked up to a bound."""

    def __init__(self, archive: zipfile.ZipFile, source: BinaryIO, file: str) -> None:
        self._archive = archive
        self._source = source
        self._file = file
        self._left = MAX_UNPACKED
        # Of several members with one name the last counts.
        self.names = dict.fromkeys(archive.namelist())
        check_rows(file, len(self.names), 1)

    def document(self, name: str) -> Any:
        """The parsed document of that name.

        Raises:
            Unusable: it is no JSON.
            Refused: it is larger than the bounds.
        """
        info = self._archive.getinfo(name)
        if info.compress_type == _ZSTANDARD:
            raw = self._zstandard(info)
        else:
            with self._archive.open(info) as member:
                raw = member.read(MAX_DOCUMENT + 1)
        self._left -= len(raw)
        if len(raw) > MAX_DOCUMENT or self._left < 0:
            raise Refused(f"{self._file}: {name} unpacks to more than is read; split the log")
        try:
            return json.loads(raw.decode("utf-8"), object_pairs_hook=unique_keys)
        except (ValueError, RecursionError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else error
            raise Unusable(f"{self._file}: {name} is broken JSON: {reason}") from None

    def _zstandard(self, info: zipfile.ZipInfo) -> bytes:
        if info.flag_bits & _ENCRYPTED:
            raise zipfile.BadZipFile(f"{info.filename} is encrypted")
        self._source.seek(info.header_offset)
        mark, n_name, n_extra = _LOCAL_HEADER.unpack(self._source.read(_LOCAL_HEADER.size))
        if mark != _LOCAL_MARK:
            raise zipfile.BadZipFile(f"no member where {info.filename} should be")
        self._source.seek(n_name + n_extra, 1)
        packed = self._source.read(info.compress_size)
        try:
            with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
                raw: bytes = stream.read(MAX_DOCUMENT + 1)
        except OSError as error:
            raise zipfile.BadZipFile(str(error)) from None
        if len(raw) <= MAX_DOCUMENT and zlib.crc32(raw) != info.CRC:
            raise zipfile.BadZipFile(f"bad checksum of {info.filename}")
        return raw
