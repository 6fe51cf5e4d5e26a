# SPDX-License-Identifier: Apache-2.0
"""Room eight: known faults of a device, and which clause notices each of them."""
