#!/usr/bin/env bash
# diagnostic_arguments_test.sh SOURCE_DIR COMPILER [INCLUDE_DIR ...]
# A row of the table of diagnostics with an argument that has no type does not compile. The same file asserts that wrong
# calls do not compile.
set -euo pipefail
source_dir=$1 compiler=$2
shift 2
compile=("$compiler" -std=c++20 -fsyntax-only -I "$source_dir/include" -I "$source_dir/src" "${@/#/-I}"
  "$source_dir/tests/source/diagnostic_arguments.cc")

"${compile[@]}" || { echo "a right row or call does not compile, or a wrong call does"; exit 1; }
if "${compile[@]}" -DWRONG 2>/dev/null; then
  echo "a wrong row compiles"
  exit 1
fi
