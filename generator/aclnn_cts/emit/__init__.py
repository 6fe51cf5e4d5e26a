# SPDX-License-Identifier: Apache-2.0
"""C++ programs and operator headers from specs; case files and data files from cases."""
