# SPDX-License-Identifier: Apache-2.0
"""Reproducers: from a case that failed to a program that shows it, as small as it can be."""
