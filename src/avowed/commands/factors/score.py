"""``avowed factors score``: the long table of a study."""

import argparse
import csv
import sys
from pathlib import Path

from avowed.commands.factors.study import load_study
from avowed.commands.publish import publish
from avowed.present.csvfile import cell_text, write_rows
from avowed.stats.long_table import LONG_SCHEMA, write_long

TABLE, LONG_TABLE = "estimates.csv", "estimates.parquet"


def run(arguments: argparse.Namespace) -> int:
    """Check, estimate, and print the table or write it."""
    rows = load_study(arguments).rows()
    columns = LONG_SCHEMA.names
    if arguments.out is None:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([cell_text(row[column]) for column in columns] for row in rows)
        return 0

    def write(staged: Path) -> None:
        write_rows(staged / TABLE, columns, rows)
        write_long(rows, staged / LONG_TABLE)

    publish(arguments.out, (TABLE, LONG_TABLE), write)
    print(arguments.out / TABLE)
    return 0
