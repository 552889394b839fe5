#!/usr/bin/env bash
# diagnostic_arguments_test.sh SOURCE_DIR COMPILER [INCLUDE_DIR ...]
# A diagnostic with a wrong number or wrong types of arguments does not compile.
set -euo pipefail
source_dir=$1 compiler=$2
shift 2
compile=("$compiler" -std=c++20 -fsyntax-only -I "$source_dir/include" -I "$source_dir/src" "${@/#/-I}"
  "$source_dir/tests/source/diagnostic_arguments.cc")

"${compile[@]}" || { echo "right calls do not compile"; exit 1; }
for wrong in 1 2 3 4 5 6; do
  if "${compile[@]}" -DWRONG="$wrong" 2>/dev/null; then
    echo "WRONG=$wrong compiles"
    exit 1
  fi
done
