# SPDX-License-Identifier: Apache-2.0
"""Whether a host has all that a run needs, and how to get what is missing."""
