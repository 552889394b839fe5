#!/usr/bin/env bash
# other_messages_test.sh SOURCE WORK CXX: builds and runs a program in which another library contains ONNX's
# messages (CMake option ONNXC_PROTO_TARGET), and checks that lite or too old messages are refused.
set -euo pipefail
source=$1 work=$2 cxx=$3
project=$source/tests/package/other_messages
mkdir -p "$work"

configure() {  # NAME PROTO CPP_OUT
  cmake -G Ninja -S "$project" -B "$work/$1" -DONNXC_SOURCE="$source" -DPROTO="$2" -DCPP_OUT="$3" \
    -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=Debug >"$work/$1.log" 2>&1 || { cat "$work/$1.log"; exit 1; }
}

refused() {  # NAME PROTO CPP_OUT WORDS
  configure "$1" "$2" "$3"
  if output=$(cmake --build "$work/$1" --target onnxc 2>&1); then
    echo "FAILED: $1 messages were accepted"
    exit 1
  fi
  grep -qF "$4" <<<"$output" || { echo "FAILED: $1 messages: no \"$4\" in: $output"; exit 1; }
  if grep -E '(FAILED|Building).*(src/|OnnxTextParser\.cpp)' <<<"$output"; then
    echo "FAILED: $1 messages: sources of onnxc were compiled before the messages were refused"
    exit 1
  fi
}

refused lite "$source/proto/onnx.proto" "" "are of protobuf's lite runtime"
sed -e '/FLOAT8E8M0 = 24/d' -e '/ UINT2 = 25/d' -e '/ INT2 = 26/d' "$source/proto/onnx.proto" >"$work/old.proto"
refused old "$work/old.proto" "speed:" "are too old"

configure good "$source/proto/onnx.proto" "speed:"
cmake --build "$work/good" --target program
if nm --defined-only "$work"/good/_deps/onnxc-build/libonnxc.a 2>/dev/null | grep -q 'descriptor_table_onnx'; then
  echo "FAILED: libonnxc.a holds messages of its own"
  exit 1
fi
"$work/good/program"

cmake -G Ninja -S "$source" -B "$work/no_target" -DCMAKE_CXX_COMPILER="$cxx" -DONNXC_PROTO_TARGET=nowhere >"$work/no_target.log" 2>&1 &&
  { echo "FAILED: a missing target was accepted"; exit 1; }
grep -q "there is no target nowhere" "$work/no_target.log"
echo "other messages: ok"
