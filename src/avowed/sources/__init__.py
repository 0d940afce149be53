"""Fetch the public files the main job starts from: mirror, pinned address, or coded answers."""

from avowed.sources.choose import SourceChoice, SourceKind, Tried, obtain
from avowed.sources.hashing import HashMismatch, check_file, sha256_of, verify_tree
from avowed.sources.manifest import SourceFile, read_manifest

__all__ = [
    "HashMismatch",
    "SourceChoice",
    "SourceFile",
    "SourceKind",
    "Tried",
    "check_file",
    "obtain",
    "read_manifest",
    "sha256_of",
    "verify_tree",
]
