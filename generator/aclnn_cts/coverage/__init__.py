# SPDX-License-Identifier: Apache-2.0
"""What planned cases test: coverage of clauses, and differences between editions."""
