#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the kit's programs against a CANN toolkit, runs all cases, leaves outputs.tar.gz.
#   sh run.sh [TOOLKIT]            the toolkit that ASCEND_HOME_PATH names if none is given, or
#                                  ASCEND_TOOLKIT_HOME, or the one that is installed
#   DEVICES=0,1,4-7 sh run.sh      on these devices at a time; 0 if not given
#   CXX=g++-9 sh run.sh            with this compiler
# Started again after an interruption, it goes on where it was. README.txt says more.
# Needs a C++17 compiler, make, and coreutils.
{ # Read whole before anything is done: one that was cut off does nothing.
set -u
LC_ALL=C
export LC_ALL
unset CDPATH MAKEFLAGS

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

need() {
  command -v "$1" >/dev/null 2>&1 || fail "$1 is missing; install it ($2), or add its folder to PATH"
}

# The first line of sha256sum that is about a file which differs.
first_difference() {
  sha256sum --check --strict --quiet MANIFEST.sha256 2>/dev/null | head -n 1
}

check_kit() {
  [ -f MANIFEST.sha256 ] && [ -f MANIFEST.digest ] ||
    fail "MANIFEST.sha256 or MANIFEST.digest is missing; unpack the kit again"
  told=$(sha256sum MANIFEST.sha256)
  [ "${told%% *}" = "$(cat MANIFEST.digest)" ] ||
    fail "MANIFEST.sha256: is not what was packed; unpack the kit again"
  sha256sum --check --strict --status MANIFEST.sha256 2>/dev/null && return
  differing=$(first_difference)
  fail "${differing%%: FAILED*}: is not what was packed; unpack the kit again"
}

# What set_env.sh of newer or older releases set, or where these are installed by default.
default_toolkit() {
  installed=/usr/local/Ascend/ascend-toolkit/latest
  [ ! -d "$installed" ] && [ -d /usr/local/Ascend/cann ] && installed=/usr/local/Ascend/cann
  printf '%s' "${ASCEND_HOME_PATH:-${ASCEND_TOOLKIT_HOME:-$installed}}"
}

# The architecture of a program or library, in whatever form: two bytes of its header.
machine_of() {
  head -c 20 "$1" 2>/dev/null | tail -c 2 | sha256sum
}

# Whether a folder holds libraries for this host; head's own program is one.
is_native() {
  own=$(machine_of /proc/self/exe)
  [ "$(machine_of "$1/libascendcl.so")" = "$own" ] && [ "$(machine_of "$1/libnnopbase.so")" = "$own" ]
}

# Sets toolkit, branches, include and libraries; fails with what is missing.
find_toolkit() {
  toolkit=$1
  if [ -z "$toolkit" ]; then
    toolkit=$(default_toolkit)
    printf 'toolkit: %s\n' "$toolkit"
  fi
  [ -d "$toolkit" ] || fail "$toolkit: there is no such folder; name the CANN toolkit: sh run.sh TOOLKIT"
  # Where the folder of all releases is named, the newest is meant.
  [ ! -e "$toolkit/include" ] && [ -d "$toolkit/latest" ] && toolkit=$toolkit/latest
  toolkit=$(cd "$toolkit" && pwd -P)
  branches=$(uname -m)-linux
  # Early releases call aarch64 arm64.
  [ "$branches" = aarch64-linux ] && branches='aarch64-linux arm64-linux'
  include='' libraries='' foreign=''
  for branch in '' $branches; do
    folder=$toolkit${branch:+/$branch}
    [ -z "$include" ] && [ -f "$folder/include/acl/acl.h" ] && [ -f "$folder/include/aclnn/acl_meta.h" ] &&
      include=$folder/include
    [ -f "$folder/lib64/libascendcl.so" ] && [ -f "$folder/lib64/libnnopbase.so" ] || continue
    if ! is_native "$folder/lib64"; then
      foreign=${foreign:-$folder/lib64}
    elif [ -z "$libraries" ]; then
      libraries=$folder/lib64
    fi
  done
  # The runner says what is wrong with those.
  libraries=${libraries:-$foreign}
  [ -n "$include" ] || fail "$toolkit: include/aclnn/acl_meta.h is missing; install the toolkit's development files"
  [ -n "$libraries" ] || fail "$toolkit: lib64/libascendcl.so is missing; name another toolkit: sh run.sh TOOLKIT"
}

# Older releases have all operators in one library, newer ones in several, whose names change: the
# linker takes those that a program needs. Sets names and links.
find_operators() {
  names='' links=''
  for library in "$libraries"/libopapi*.so; do
    [ -f "$library" ] || continue
    name=${library##*/}
    names="$names $name" link=${name#lib}
    links="$links -l${link%.so}"
  done
  [ -n "$names" ] || fail "$libraries: libopapi*.so is missing; install the operators' package of the toolkit"
}

find_compiler() {
  compiler=${CXX:-}
  for name in c++ g++ clang++; do
    [ -z "$compiler" ] && command -v "$name" >/dev/null 2>&1 && compiler=$name
  done
  [ -n "$compiler" ] || fail "no C++ compiler found; install g++ 7.3 or newer, or name one in CXX"
  need "$compiler" "g++ 7.3 or newer"
  version=$("$compiler" --version 2>/dev/null | head -n 1)
}

# build WHAT SENTENCE
build() {
  make -j "$(nproc)" "CXX=$compiler" "BUILD=$work/build" "TOOLKIT_INCLUDE=$include" \
    "TOOLKIT_LIBRARIES=$libraries" "LIBRARIES=$links" "$1" >"$work/build.log" 2>&1 && return
  tail -n 12 "$work/build.log" >&2
  fail "$2; all that the compiler said is in $work/build.log"
}

cd "$(dirname "$0")" || fail "the kit's folder cannot be entered"
for tool in sha256sum head tail cat uname mkdir nproc rm; do need "$tool" coreutils; done
need make make
work=work-$(head -c 12 nonce.txt 2>/dev/null)
# What an earlier kit left here must not be taken home in place of what this one does not leave.
[ -d "$work" ] || rm -f outputs.tar.gz || fail "outputs.tar.gz cannot be removed; unpack the kit where you may write"
check_kit
find_toolkit "${1:-}"
find_operators
find_compiler
mkdir -p "$work/build" || fail "$work cannot be made; unpack the kit where you may write"
printf 'building with %s\n' "$version"
build runner "the runner would not build: the compiler must know C++17 (g++ 7.3 or newer), and the disk have room"
set -- --kit . --work "$work" --programs "$work/build" --toolkit "$toolkit" \
  --branches "$branches" --library-folder "$libraries" --libraries "libascendcl.so libnnopbase.so$names" \
  --compiler "$version" --case-seconds "${CASE_SECONDS:-60}" --devices "${DEVICES:-0}" \
  --archive "$(pwd -P)/outputs.tar.gz"
"$work/build/kit_runner" check "$@" || exit 1
build programs "the programs would not build against $toolkit, or the disk has no room"
LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
# Signals that are meant for this script must reach the runner.
exec "$work/build/kit_runner" run "$@"
}
