# SPDX-License-Identifier: Apache-2.0
"""Faults nobody chose: mutants of the formulas, the judge and the simulated operators."""
