# SPDX-License-Identifier: Apache-2.0
"""From specs to cases: factors, covering arrays, special scenes, refused calls, tiers, ids."""
