# SPDX-License-Identifier: Apache-2.0
"""Deterministic data, one formula per operator, and expectations for each element."""
