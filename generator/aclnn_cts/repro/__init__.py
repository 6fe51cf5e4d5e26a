# SPDX-License-Identifier: Apache-2.0
"""Reproducers: failing cases, made as small as possible, as programs."""
