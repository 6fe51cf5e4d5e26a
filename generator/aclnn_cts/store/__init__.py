# SPDX-License-Identifier: Apache-2.0
"""The results store: judged runs in a database, and queries over many of them."""
