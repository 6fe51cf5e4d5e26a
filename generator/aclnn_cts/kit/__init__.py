# SPDX-License-Identifier: Apache-2.0
"""Kits for hosts without a network: packing them, and receiving their outputs."""
