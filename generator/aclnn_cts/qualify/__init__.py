# SPDX-License-Identifier: Apache-2.0
"""Known faults of a device, and the clauses that notice them."""
