#!/usr/bin/env bash
# antlr_versions_test.sh SOURCE WORK CXX: if an ANTLR tool and runtime do not fit together, configuring the
# build fails with a message that shows both versions and a remedy. The tools and runtimes in this test are
# fakes that only print a version.
set -euo pipefail
source=$1 work=$2 cxx=$3
rm -rf "$work"
mkdir -p "$work"
failed=0

make_tool() {  # VERSION: a command that prints this version, like ANTLR's tool
  printf '#!/bin/sh\necho "ANTLR Parser Generator  Version %s"\n' "$1" >"$work/antlr4-$1"
  chmod +x "$work/antlr4-$1"
}

make_runtime() {  # VERSION: a prefix with a library that returns this version
  local prefix=$work/runtime-$1
  mkdir -p "$prefix/include/antlr4-runtime" "$prefix/lib"
  cat >"$prefix/include/antlr4-runtime/RuntimeMetaData.h" <<'END'
#include <string>
namespace antlr4 { struct RuntimeMetaData { static const std::string VERSION; }; }
END
  echo '#include "RuntimeMetaData.h"' >"$prefix/include/antlr4-runtime/antlr4-runtime.h"
  printf '#include <RuntimeMetaData.h>\nconst std::string antlr4::RuntimeMetaData::VERSION = "%s";\n' "$1" >"$work/runtime.cc"
  "$cxx" -shared -fPIC -I"$prefix/include/antlr4-runtime" "$work/runtime.cc" -o "$prefix/lib/libantlr4-runtime.so"
}

# seed BUILD: gives a new build folder what the first one found out about everything else than ANTLR: the compiler,
# libraries, and results of test programs. Finding this out takes most of the time.
seed() {
  local first=$work/build-same
  if [ ! -d "$first" ] || [ -d "$1" ]; then return; fi
  mkdir -p "$1/CMakeFiles"
  cp -r "$first"/CMakeFiles/[0-9]* "$1/CMakeFiles"
  sed "/^[/][/]/d; /antlr/Id; s#$first#$1#g" "$first/CMakeCache.txt" >"$1/CMakeCache.txt"
}

# expect NAME WORD... -- OPTION...: the output of configuring must contain all the words ("accepted" stands
# for success).
expect() {
  local name=$1 words=() output word
  shift
  while [ "$1" != -- ]; do words+=("$1"); shift; done
  shift
  seed "$work/build-$name"
  output=$(cmake -G Ninja -S "$source" -B "$work/build-$name" -DCMAKE_CXX_COMPILER="$cxx" -DONNXC_TESTS=OFF "$@" 2>&1 &&
    echo accepted) || true
  output=$(tr -s '[:space:]' ' ' <<<"$output")  # CMake wraps the lines of a message anywhere
  for word in "${words[@]}"; do
    case $output in
      *"$word"*) ;;
      *) printf 'FAILED: %s: "%s" is not in: %s\n' "$name" "$word" "${output: -1200}"; failed=1 ;;
    esac
  done
}

for version in 4.6 4.7.2 4.9.2 4.9.3 4.10.1 4.13.1 4.14; do make_tool $version; done
for version in 4.7.2 4.9 4.9.3 4.10.1 4.13.1 4.14; do make_runtime $version; done
tool=-DONNXC_ANTLR_TOOL=$work/antlr4
runtime=-DONNXC_ANTLR_RUNTIME=$work/runtime
options=(ONNXC_ANTLR_JAR=FILE ONNXC_ANTLR_RUNTIME=PREFIX)

expect same accepted "ANTLR tool 4.9.3, C++ runtime 4.9.3" -- $tool-4.9.3 $runtime-4.9.3
expect older_tool accepted "ANTLR tool 4.7.2, C++ runtime 4.9.3" -- $tool-4.7.2 $runtime-4.9.3
expect debian_13 accepted "ANTLR tool 4.9.2, C++ runtime 4.9" -- $tool-4.9.2 $runtime-4.9
expect newer_tool "tool 4.9.3" "runtime 4.7.2" "do not fit" "${options[@]}" -- $tool-4.9.3 $runtime-4.7.2
expect newer_patch "tool 4.9.3" "runtime 4.9 " "do not fit" -- $tool-4.9.3 $runtime-4.9
expect newer_runtime "tool 4.7.2" "runtime 4.10.1" "do not fit" "${options[@]}" -- $tool-4.7.2 $runtime-4.10.1
expect both_new accepted "ANTLR tool 4.13.1, C++ runtime 4.13.1" -- $tool-4.13.1 $runtime-4.13.1
expect older_new_tool accepted "ANTLR tool 4.10.1, C++ runtime 4.13.1" -- $tool-4.10.1 $runtime-4.13.1
expect newer_new_tool "tool 4.13.1" "runtime 4.10.1" "do not fit" -- $tool-4.13.1 $runtime-4.10.1
expect old_runtime "tool 4.10.1" "runtime 4.9.3" "do not fit" -- $tool-4.10.1 $runtime-4.9.3
expect too_new "tool 4.14" "runtime 4.14" "do not fit" "${options[@]}" -- $tool-4.14 $runtime-4.14
expect old_tool "tool 4.6" "do not fit" -- $tool-4.6 $runtime-4.9.3
expect no_jar "there is no file" "${options[@]}" -- -DONNXC_ANTLR_JAR="$work/nowhere.jar"
echo "not a jar" >"$work/broken.jar"
expect broken_jar "is no ANTLR tool that runs here" "${options[@]}" -- -DONNXC_ANTLR_JAR="$work/broken.jar"
expect no_runtime "was not found" "${options[@]}" -- $runtime-nowhere
# Generated parsers of an old tool and of a new tool: the build must use the one that fits the runtime.
mkdir -p "$work/parser/new" "$work/old_parser"
for file in OnnxTextParser.h OnnxTextParser.cpp; do
  echo "// Generated from OnnxText.g4 by ANTLR 4.7.2" | tee "$work/old_parser/$file" >"$work/parser/$file"
  echo "// Generated from OnnxText.g4 by ANTLR 4.13.1" >"$work/parser/new/$file"
done
expect parser accepted "ANTLR tool 4.7.2, C++ runtime 4.9.3" -- -DONNXC_PARSER_SOURCES="$work/parser" $runtime-4.9.3
expect new_parser accepted "ANTLR tool 4.13.1, C++ runtime 4.13.1" -- -DONNXC_PARSER_SOURCES="$work/parser" $runtime-4.13.1
expect old_parser "tool 4.7.2" "runtime 4.13.1" "do not fit" -- -DONNXC_PARSER_SOURCES="$work/old_parser" $runtime-4.13.1
expect same "do not fit" -- $tool-4.9.3 $runtime-4.7.2  # the same build folder, with other versions

[ $failed = 0 ] && echo "antlr versions: ok"
exit $failed
