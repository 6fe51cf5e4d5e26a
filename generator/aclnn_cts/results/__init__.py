# SPDX-License-Identifier: Apache-2.0
"""The result files of a run, results.json and cases.sqlite: models, assembly, reading, writing."""
