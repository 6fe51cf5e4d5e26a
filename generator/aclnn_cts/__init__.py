# SPDX-License-Identifier: Apache-2.0
"""Conformance test-suite generator for CANN's aclnn operators.

Seven layers, each of which imports only layers to its left::

    spec -> plan -> golden -> emit -> run -> judge -> report
"""

__version__ = "0.1.0"
