# SPDX-License-Identifier: Apache-2.0
"""Reproducers: a failing case, made as small as possible, as a program."""
