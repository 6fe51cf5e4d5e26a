# SPDX-License-Identifier: Apache-2.0
"""Reports for people and programs."""
