# SPDX-License-Identifier: Apache-2.0
"""Finding CANN or the simulator, building, running the programs, and reading their events."""
