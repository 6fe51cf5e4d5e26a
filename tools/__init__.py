# SPDX-License-Identifier: Apache-2.0
"""Developer tools: they measure the suite itself, and no user needs them."""
