# SPDX-License-Identifier: Apache-2.0
"""The tables of the results store.

A run has one row for each of its operators, a *sheet*: one letter per case and per clause, in the
order of a list of names that runs of the same cases share. So a query over a thousand runs reads a
few megabytes, on SQLite and PostgreSQL alike. Data that seldom change between runs (names, details
of failing cases, figures) are stored once in ``content``, by digest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

HEAD = "0002"
"""The current revision of the tables; the last one in ``migrations/versions``."""

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)


def _columns(kind: type[sa.types.TypeEngine[Any]], *names: str) -> Iterator[sa.Column[Any]]:
    """Yield columns of one type that are not null."""
    return (sa.Column(name, kind, nullable=False) for name in names)


content = sa.Table(
    "content",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("sha256", sa.LargeBinary(32), nullable=False, unique=True),
    sa.Column("data", sa.LargeBinary, nullable=False),
)
"""Compressed bytes that several rows share. There are no foreign keys to them, because deleting a
row would then search all sheets."""

operator = sa.Table(
    "operator",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
)

place = sa.Table(
    "place",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("card", sa.Integer, nullable=False),  # -1 if unknown
    sa.UniqueConstraint("host", "card"),
)
"""A card, or only its host if the card is unknown."""

NOWHERE = 0
"""Id in a sheet for a case without a record that counts."""

run = sa.Table(
    "run",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("sha256", sa.LargeBinary(32), nullable=False, unique=True),
    sa.Column("nonce", sa.Text, nullable=False, index=True),
    sa.Column("started", sa.Text, nullable=False, index=True),
    *_columns(sa.Text, "recorded", "label", "report"),
    *_columns(sa.Text, "product", "kind", "soc", "cann", "toolkit_version", "driver", "firmware"),
    *_columns(sa.Text, "host", "fault", "variant", "build", "tier", "standard", "edition"),
    *_columns(sa.Text, "suite", "specs"),
    *_columns(sa.Integer, "cases", "failing", "waived", "unproven"),
    sa.Column("exit_status", sa.SmallInteger, nullable=False),
    sa.Column("header", sa.Integer, nullable=False),
    sqlite_autoincrement=True,  # the number of a pruned run is never reused
)
"""One judged run; a row never changes, but a label may be added."""

run_place = sa.Table(
    "run_place",
    metadata,
    sa.Column("run", sa.ForeignKey("run.id"), primary_key=True),
    sa.Column("place", sa.ForeignKey("place.id"), primary_key=True),
    sa.Index(None, "place"),
    sqlite_with_rowid=False,
)
"""The places of a run's cases."""

withdrawal = sa.Table(
    "withdrawal",
    metadata,
    sa.Column("run", sa.ForeignKey("run.id"), primary_key=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)
"""Withdrawn runs."""

sheet = sa.Table(
    "sheet",
    metadata,
    sa.Column("operator", sa.ForeignKey("operator.id"), primary_key=True),
    sa.Column("run", sa.ForeignKey("run.id"), primary_key=True),
    *_columns(sa.Integer, "cases", "failing", "waived", "unproven"),
    *_columns(sa.LargeBinary, "letters", "clauses", "places"),
    *_columns(sa.Integer, "names", "facts", "details", "figures", "times"),
    sa.Index(None, "run"),
    sqlite_with_rowid=False,
)
"""The cases and clauses of one operator in a run."""

summary = sa.Table(
    "summary",
    metadata,
    sa.Column("operator", sa.ForeignKey("operator.id"), primary_key=True),
    sa.Column("dtype", sa.Text, primary_key=True),
    sa.Column("run", sa.ForeignKey("run.id"), primary_key=True),
    sa.Column("compared", sa.Integer, nullable=False),
    sa.Column("worst_ulp", sa.Float(53)),
    sa.Column("mean_ulp", sa.Float(53)),
    sa.Column("timed", sa.Integer, nullable=False),
    sa.Column("microseconds", sa.Float(53)),
    sa.Index(None, "run"),
    sqlite_with_rowid=False,
)
"""Accuracy and device time over the passing cases of an operator and data type.

``mean_ulp`` is the mean of the absolute errors, ``microseconds`` the geometric mean of the cases'
median times; null if nothing was compared, or timed.
"""
