# SPDX-License-Identifier: Apache-2.0
"""Operator pages: what they say, drafts of specs from them, and specs held against them."""
