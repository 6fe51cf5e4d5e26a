# SPDX-License-Identifier: Apache-2.0
"""From specs to cases: factors, covering arrays, special scenes, negative cases, tiers, ids."""
