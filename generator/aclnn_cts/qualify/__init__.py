# SPDX-License-Identifier: Apache-2.0
"""Known faults of a device, and which clause notices each of them."""
