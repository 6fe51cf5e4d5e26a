# SPDX-License-Identifier: Apache-2.0
"""The list of what the documents leave open, for those who write them."""
