#!/usr/bin/env bash
# newer_schema_test.sh SOURCE WORK CXX: adds fields to every message of the schema, a member to every oneof,
# and values to enums. Then it builds onnxc without other changes, and checks that printing and parsing
# messages keeps everything.
set -euo pipefail
source=$1 work=$2 cxx=$3
mkdir -p "$work"

sed -e '/^ *message .*{$/a optional string added_text = 1001; repeated int64 added_numbers = 1002; optional bool added_flag = 1003; optional OperatorStatus added_status = 1004; repeated double added_doubles = 1005;' \
  -e '/^ *oneof .*{$/a string added_choice = 1011;' \
  -e '/^message \(Node\|Tensor\|Model\)Proto {$/a optional Added added = 1021; repeated Added more_added = 1022;' \
  -e '/^ *enum \(AttributeType\|DataLocation\) {$/,/}/s/ = 1;/ = 1; ADDED_VALUE = 77;/' \
  "$source/proto/onnx.proto" >"$work/newer.proto"
cat >>"$work/newer.proto" <<'END'
message Added {
  optional int64 number = 1;
  repeated string words = 2;
  optional Added inner = 3;
  repeated StringStringEntryProto pairs = 4;
}
END

cmake -G Ninja -S "$source/tests/package/newer_schema" -B "$work/build" -DONNXC_SOURCE="$source" -DPROTO="$work/newer.proto" \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=Release >"$work/configure.log" 2>&1 || { cat "$work/configure.log"; exit 1; }
cmake --build "$work/build" --target fields_test roundtrip_fuzz
"$work/build/fields_test"
"$work/build/roundtrip_fuzz" --count 20000 --seed 1
echo "newer schema: ok"
