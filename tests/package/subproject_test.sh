#!/usr/bin/env bash
# subproject_test.sh SOURCE WORK CXX: configures the projects of docs/building.md that contain onnxc: as a subdirectory, and by
# FetchContent. Their program must need the library, and building everything must build neither the command nor the tests.
# `-C anew` also builds a program with such a project (other_messages).
set -euo pipefail
source=$1 work=$2 cxx=$3
mkdir -p "$work"
for name in fetch subdirectory; do
  rm -rf "${work:?}/$name"
  cmake -G Ninja -S "$source/tests/consumer/$name" -B "$work/$name" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=Release \
    -DONNXC_FOLDER="$source" -DFETCHCONTENT_SOURCE_DIR_ONNXC="$source" >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; exit 1; }
  for target in example all; do ninja -C "$work/$name" -t commands $target >"$work/$name.$target"; done
  grep -q 'libonnxc\.a' "$work/$name.example" || { echo "FAILED: $name: the program is not linked with the library"; exit 1; }
  if grep -E 'onnxc_(commands|cli|tests)|gtest' "$work/$name.all"; then echo "FAILED: $name: these are built without need"; exit 1; fi
done
echo "subproject: ok"
