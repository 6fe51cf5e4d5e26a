# SPDX-License-Identifier: Apache-2.0
"""Telling people and machines what was judged: results file, JUnit, summary table."""
