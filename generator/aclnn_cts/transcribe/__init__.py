# SPDX-License-Identifier: Apache-2.0
"""Operator pages: reading them, drafting specs, and comparing specs with them."""
