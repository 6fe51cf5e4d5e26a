# SPDX-License-Identifier: Apache-2.0
"""Known faults and variants, and trials with them."""
