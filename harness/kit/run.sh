#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the kit's programs against a CANN toolkit, runs all cases, leaves outputs.tar.gz.
#   sh run.sh [TOOLKIT]            the toolkit that ASCEND_HOME_PATH names if none is given, or
#                                  ASCEND_TOOLKIT_HOME, or the one that is installed
#   DEVICES=0,1,4-7 sh run.sh      on these devices at a time; 0 if not given
#   CXX=g++-9 sh run.sh            with this compiler
#   CASE_SECONDS=120 sh run.sh     with this limit for a case; 60 if not given
# Started again after an interruption, it goes on where it was. README.txt says more.
{ # Read whole before anything is done: a truncated script does nothing.
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null; then
  echo 'error: Python 3.8 or newer is missing; install it, or add the folder of python3 to PATH' >&2
  exit 1
fi
exec python3 -B "$(dirname "$0")/runner" "$@"
}
