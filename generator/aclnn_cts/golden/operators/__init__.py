# SPDX-License-Identifier: Apache-2.0
"""One module per operator: its formula in float64, written from the mathematics."""
