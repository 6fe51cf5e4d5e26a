# SPDX-License-Identifier: Apache-2.0
"""The tables of the results store.

A run has one row for each of its operators, a *sheet*: one letter per case and per clause, in the
order of a list of names that runs of the same cases share. So a question about a thousand runs
reads a few megabytes, on SQLite and PostgreSQL alike. What seldom changes from one run to the next
(names, what failing cases show, figures) is stored once in ``content``, by its digest.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
)

HEAD = "0002"
"""The revision that these tables are; the last one in ``migrations/versions``."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

content = Table(
    "content",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("sha256", LargeBinary(32), nullable=False, unique=True),
    Column("data", LargeBinary, nullable=False),
)
"""Compressed bytes that several rows share. No foreign key refers to them: to drop one that no row
needs any more would search all sheets."""

operator = Table(
    "operator",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
)

place = Table(
    "place",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("host", Text, nullable=False),
    Column("card", Integer, nullable=False),  # -1 if it is not known
    UniqueConstraint("host", "card"),
)
"""A card, or only its host if the card is unknown."""

NOWHERE = 0
"""Stands for a place in a sheet where no record of the case counts."""

run = Table(
    "run",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("sha256", LargeBinary(32), nullable=False, unique=True),
    Column("nonce", Text, nullable=False, index=True),
    Column("started", Text, nullable=False, index=True),
    Column("recorded", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("report", Text, nullable=False),
    Column("product", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("soc", Text, nullable=False),
    Column("cann", Text, nullable=False),
    Column("toolkit_version", Text, nullable=False),
    Column("driver", Text, nullable=False),
    Column("firmware", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("fault", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("build", Text, nullable=False),
    Column("tier", Text, nullable=False),
    Column("standard", Text, nullable=False),
    Column("edition", Text, nullable=False),
    Column("suite", Text, nullable=False),
    Column("specs", Text, nullable=False),
    Column("cases", Integer, nullable=False),
    Column("failing", Integer, nullable=False),
    Column("waived", Integer, nullable=False),
    Column("unproven", Integer, nullable=False),
    Column("exit_status", SmallInteger, nullable=False),
    Column("header", Integer, nullable=False),
    sqlite_autoincrement=True,  # a number that was pruned never means another run
)
"""One judged run; a row never changes."""

run_place = Table(
    "run_place",
    metadata,
    Column("run", ForeignKey("run.id"), primary_key=True),
    Column("place", ForeignKey("place.id"), primary_key=True),
    Index(None, "place"),
    sqlite_with_rowid=False,
)
"""The places of a run's cases."""

withdrawal = Table(
    "withdrawal",
    metadata,
    Column("run", ForeignKey("run.id"), primary_key=True),
    Column("at", Text, nullable=False),
    Column("reason", Text, nullable=False),
)
"""Withdrawn runs."""

sheet = Table(
    "sheet",
    metadata,
    Column("operator", ForeignKey("operator.id"), primary_key=True),
    Column("run", ForeignKey("run.id"), primary_key=True),
    Column("cases", Integer, nullable=False),
    Column("failing", Integer, nullable=False),
    Column("waived", Integer, nullable=False),
    Column("unproven", Integer, nullable=False),
    Column("letters", LargeBinary, nullable=False),
    Column("clauses", LargeBinary, nullable=False),
    Column("places", LargeBinary, nullable=False),
    Column("names", Integer, nullable=False),
    Column("facts", Integer, nullable=False),
    Column("details", Integer, nullable=False),
    Column("figures", Integer, nullable=False),
    Column("times", Integer, nullable=False),
    Index(None, "run"),
    sqlite_with_rowid=False,
)
"""The cases and clauses of one operator in a run."""

summary = Table(
    "summary",
    metadata,
    Column("operator", ForeignKey("operator.id"), primary_key=True),
    Column("dtype", Text, primary_key=True),
    Column("run", ForeignKey("run.id"), primary_key=True),
    Column("compared", Integer, nullable=False),
    Column("worst_ulp", Float(53)),
    Column("mean_ulp", Float(53)),
    Column("timed", Integer, nullable=False),
    Column("microseconds", Float(53)),
    Index(None, "run"),
    sqlite_with_rowid=False,
)
"""Accuracy and device time over the cases of an operator and data type that broke nothing.

``mean_ulp`` is the mean of the absolute errors, ``microseconds`` the geometric mean of the cases'
median times; null if nothing was compared, or timed.
"""
