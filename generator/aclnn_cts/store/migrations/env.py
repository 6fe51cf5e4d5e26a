# SPDX-License-Identifier: Apache-2.0
"""Configuration of Alembic: migrations use the connection and the transaction of the store."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
