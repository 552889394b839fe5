#!/usr/bin/env bash
# protobuf_test.sh SOURCE WORK CXX: the build uses the CMake package of protobuf if there is one, because in
# newer versions it names abseil, which must be linked as well. The package in this test is a fake that only
# reports that it is used.
set -euo pipefail
source=$1 work=$2 cxx=$3
rm -rf "$work"
mkdir -p "$work/prefix/lib/cmake/protobuf"
cat >"$work/prefix/lib/cmake/protobuf/protobuf-config.cmake" <<'END'
message(STATUS "protobuf describes itself")
add_library(protobuf::libprotobuf INTERFACE IMPORTED)
add_executable(protobuf::protoc IMPORTED)
set_target_properties(protobuf::protoc PROPERTIES IMPORTED_LOCATION /bin/false)
END

output=$(cmake -G Ninja -S "$source" -B "$work/build" -DCMAKE_CXX_COMPILER="$cxx" -DONNXC_TESTS=OFF \
  -DCMAKE_PREFIX_PATH="$work/prefix" 2>&1) || { echo "FAILED: $output"; exit 1; }
case $output in
  *"protobuf describes itself"*) echo "protobuf: ok" ;;
  *) echo "FAILED: the build looks past protobuf's description: $output"; exit 1 ;;
esac
