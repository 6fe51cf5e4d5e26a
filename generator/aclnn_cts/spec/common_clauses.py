# SPDX-License-Identifier: Apache-2.0
"""The ids of the clauses that all operators can share: those of common.yaml, and determinism."""

TWO_PHASE = "two-phase"
INPUTS_UNCHANGED = "inputs-unchanged"
OUTPUTS_WRITTEN = "outputs-written"
OUTSIDE_UNTOUCHED = "outside-untouched"
WORKSPACE_SIZE = "workspace-size"
UNINITIALISED_MEMORY = "uninitialised-memory"
PHASE_ONE_DATA = "phase-one-data"
REFUSAL_LEAVES_OUTPUTS = "refusal-leaves-outputs"
CALL_INDEPENDENCE = "call-independence"
REPEATABLE_EXECUTOR = "repeatable-executor"

DETERMINISM = "determinism"
"""Not in ``common.yaml``: each operator's spec says where it holds."""
