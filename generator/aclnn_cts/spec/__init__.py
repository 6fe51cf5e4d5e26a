# SPDX-License-Identifier: Apache-2.0
"""What the documents promise: models, loading with file:line errors, the expression language."""
