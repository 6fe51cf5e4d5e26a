# SPDX-License-Identifier: Apache-2.0
"""How Alembic runs the migrations: on the connection, and in the transaction, of the store."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
