# SPDX-License-Identifier: Apache-2.0
"""Holding what came back against what may come back: metrics, standards, verdicts."""
