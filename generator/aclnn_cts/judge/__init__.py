# SPDX-License-Identifier: Apache-2.0
"""Comparing results with expectations: metrics, standards, verdicts."""
