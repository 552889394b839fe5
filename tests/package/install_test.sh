#!/usr/bin/env bash
# install_test.sh BUILD CONSUMER WORK CXX FLAGS: installs the build into a new folder, builds a program with
# the installed files, once with CMake and once with pkg-config, and runs it.
set -euo pipefail
build=$1 consumer=$2 work=$3 cxx=$4 flags=$5

rm -rf "$work"
mkdir -p "$work"
# The place of the installation must not matter: it is moved before it is used.
cmake --install "$build" --prefix "$work/staged" >"$work/install.log"
mv "$work/staged" "$work/prefix"
prefix=$work/prefix
libdir=$(dirname "$(find "$prefix" -name 'libonnxc.a' -o -name 'libonnxc.so' | head -n 1)")

test -f "$prefix/include/onnxc/parser.h"
test -f "$prefix/include/onnxc/onnx.pb.h"
test -f "$prefix/include/onnxc/version.h"
test -f "$prefix/include/onnxc/diagnostic_kinds.h"
test -f "$prefix/share/onnxc/onnx.proto"
if grep -rl 'antlr' "$prefix/include"; then
  echo "FAILED: a public header mentions ANTLR"
  exit 1
fi

echo "-- find_package"
cmake -G Ninja -S "$consumer" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_BUILD_TYPE=Release >"$work/configure.log" || { cat "$work/configure.log"; exit 1; }
cmake --build "$work/cmake"
"$work/cmake/consumer"
"$work/cmake/example"

echo "-- pkg-config"
export PKG_CONFIG_PATH=$libdir/pkgconfig
pkg-config --exists --print-errors onnxc
# shellcheck disable=SC2046,SC2086  # words are meant to be split
"$cxx" -std=c++20 $flags "$consumer/consumer.cc" -o "$work/consumer" $(pkg-config --cflags --libs onnxc)
LD_LIBRARY_PATH=$libdir "$work/consumer"

echo "-- a second schema: ONNX's own library, of which this is all that the test needs"
echo 'namespace onnx { struct OpSchema { void Finalize(); }; void OpSchema::Finalize() {} }' >"$work/libonnx.cc"
# shellcheck disable=SC2046,SC2086
"$cxx" -std=c++20 $flags "$consumer/consumer.cc" "$work/libonnx.cc" -o "$work/second" $(pkg-config --cflags --libs onnxc)
if LD_LIBRARY_PATH=$libdir "$work/second" 2>"$work/second.log" || ! grep -q 'ONNXC_PROTO_TARGET' "$work/second.log"; then
  echo "FAILED: a second schema is not refused"
  exit 1
fi

if [ -f "$libdir/libonnxc.so" ]; then
  echo "-- symbols"
  if nm -D --defined-only --demangle "$libdir/libonnxc.so" | grep -E '^[0-9a-f]+ [A-Za-z] (antlr4|fmt|nlohmann|google)::'; then
    echo "FAILED: the shared library shows what is not its own"
    exit 1
  fi
fi

echo "-- the command"
echo 'f (float[N] x) => (float[N] y) { y = Relu(x) }' | "$prefix/bin/onnxc" compile --no-check - -o - >"$work/f.onnx"
test -s "$work/f.onnx"
for file in man/man1/onnxc.1 bash-completion/completions/onnxc zsh/site-functions/_onnxc fish/vendor_completions.d/onnxc.fish; do
  test -s "$prefix/share/$file" || { echo "FAILED: there is no $file"; exit 1; }
done
echo "install: ok"
