# SPDX-License-Identifier: Apache-2.0
"""Where the cases of each run ran."""

import zlib

import numpy as np
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_AT_A_TIME = 200


def upgrade() -> None:
    """Make the table, and fill it from the sheets."""
    made = op.create_table(
        "run_place",
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["run"], ["run.id"], name="fk_run_place_run"),
        sa.ForeignKeyConstraint(["place"], ["place.id"], name="fk_run_place_place"),
        sa.PrimaryKeyConstraint("run", "place", name="pk_run_place"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_run_place_place", "run_place", ["place"], unique=False)
    sheet = sa.table("sheet", sa.column("run"), sa.column("places"))
    query = sa.select(sheet.c.run, sheet.c.places).execution_options(yield_per=_AT_A_TIME)
    places = {
        (run, place)
        for run, data in op.get_bind().execute(query)
        for place in set(np.frombuffer(zlib.decompress(data), "<i4").tolist())
    }
    op.bulk_insert(made, [{"run": run, "place": place} for run, place in sorted(places)])
