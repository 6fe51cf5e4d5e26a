# SPDX-License-Identifier: Apache-2.0
"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "content",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(length=32), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_content"),
        sa.UniqueConstraint("sha256", name="uq_content_sha256"),
    )
    op.create_table(
        "operator",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_operator"),
        sa.UniqueConstraint("name", name="uq_operator_name"),
    )
    op.create_table(
        "place",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("card", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_place"),
        sa.UniqueConstraint("host", "card", name="uq_place_host"),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(length=32), nullable=False),
        sa.Column("nonce", sa.Text(), nullable=False),
        sa.Column("started", sa.Text(), nullable=False),
        sa.Column("recorded", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.Column("product", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("soc", sa.Text(), nullable=False),
        sa.Column("cann", sa.Text(), nullable=False),
        sa.Column("toolkit_version", sa.Text(), nullable=False),
        sa.Column("driver", sa.Text(), nullable=False),
        sa.Column("firmware", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("fault", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("build", sa.Text(), nullable=False),
        sa.Column("tier", sa.Text(), nullable=False),
        sa.Column("standard", sa.Text(), nullable=False),
        sa.Column("edition", sa.Text(), nullable=False),
        sa.Column("suite", sa.Text(), nullable=False),
        sa.Column("specs", sa.Text(), nullable=False),
        sa.Column("cases", sa.Integer(), nullable=False),
        sa.Column("failing", sa.Integer(), nullable=False),
        sa.Column("waived", sa.Integer(), nullable=False),
        sa.Column("unproven", sa.Integer(), nullable=False),
        sa.Column("exit_status", sa.SmallInteger(), nullable=False),
        sa.Column("header", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_run"),
        sa.UniqueConstraint("sha256", name="uq_run_sha256"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_run_nonce", "run", ["nonce"], unique=False)
    op.create_index("ix_run_started", "run", ["started"], unique=False)
    op.create_table(
        "sheet",
        sa.Column("operator", sa.Integer(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("cases", sa.Integer(), nullable=False),
        sa.Column("failing", sa.Integer(), nullable=False),
        sa.Column("waived", sa.Integer(), nullable=False),
        sa.Column("unproven", sa.Integer(), nullable=False),
        sa.Column("letters", sa.LargeBinary(), nullable=False),
        sa.Column("clauses", sa.LargeBinary(), nullable=False),
        sa.Column("places", sa.LargeBinary(), nullable=False),
        sa.Column("names", sa.Integer(), nullable=False),
        sa.Column("facts", sa.Integer(), nullable=False),
        sa.Column("details", sa.Integer(), nullable=False),
        sa.Column("figures", sa.Integer(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["operator"], ["operator.id"], name="fk_sheet_operator"),
        sa.ForeignKeyConstraint(["run"], ["run.id"], name="fk_sheet_run"),
        sa.PrimaryKeyConstraint("operator", "run", name="pk_sheet"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_sheet_run", "sheet", ["run"], unique=False)
    op.create_table(
        "summary",
        sa.Column("operator", sa.Integer(), nullable=False),
        sa.Column("dtype", sa.Text(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("compared", sa.Integer(), nullable=False),
        sa.Column("worst_ulp", sa.Float(precision=53), nullable=True),
        sa.Column("mean_ulp", sa.Float(precision=53), nullable=True),
        sa.Column("timed", sa.Integer(), nullable=False),
        sa.Column("microseconds", sa.Float(precision=53), nullable=True),
        sa.ForeignKeyConstraint(["operator"], ["operator.id"], name="fk_summary_operator"),
        sa.ForeignKeyConstraint(["run"], ["run.id"], name="fk_summary_run"),
        sa.PrimaryKeyConstraint("operator", "dtype", "run", name="pk_summary"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_summary_run", "summary", ["run"], unique=False)
    op.create_table(
        "withdrawal",
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["run"], ["run.id"], name="fk_withdrawal_run"),
        sa.PrimaryKeyConstraint("run", name="pk_withdrawal"),
    )
