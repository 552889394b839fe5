#!/usr/bin/env bash
# violations_test.sh WORK CXX: tests the messages of folders_test.sh for folders that use later folders. It
# makes the sources of a program with two folders in WORK.
set -euo pipefail

test=$(cd "$(dirname "$0")" && pwd)/folders_test.sh
work=$1
cxx=$2
rm -rf "$work"
mkdir -p "$work/src/low" "$work/src/high"
cd "$work"

printf '%s\n' '# from the ground up' low high >src/folders.txt
echo 'int Low();' >src/low/low.h
echo 'int Low() { return 1; }' >src/low/low.cc
echo 'int High();' >src/high/high.h
printf '%s\n' '#include "low/low.h"' 'int High() { return Low(); }' >src/high/high.cc

# says STATUS TEXT: the test must exit with the status, and print a line with the text.
says() {
  local status=0 output
  printf '%s\n' "$work"/x.dir/src/*/*.cc.o >objects.txt
  output=$("$test" src objects.txt) || status=$?
  if [ "$status" != "$1" ] || ! grep -qF "$2" <<<"$output"; then
    printf 'FAILED: expected status %s and\n  %s\ngot status %s and\n%s\n' "$1" "$2" "$status" "$output"
    exit 1
  fi
}
compile() {
  mkdir -p "x.dir/$(dirname "$1")"
  "$cxx" -Isrc -c "$1" -o "x.dir/$1.o"
}

compile src/low/low.cc
compile src/high/high.cc
says 0 '2 folders'

# A declaration instead of an include: only the symbol shows the call.
printf '%s\n' 'int High();' 'int Low() { return High(); }' >src/low/low.cc
compile src/low/low.cc
says 1 "FAILED: 'low' uses 'high': low/low.cc.o uses High() of high/high.cc.o; src/folders.txt lists 'high' after it"

# An include alone leaves no symbol.
printf '%s\n' '#include "high/high.h"' 'int Low() { return 1; }' >src/low/low.cc
compile src/low/low.cc
says 1 "FAILED: src/low/low.cc:1: 'low' includes high/high.h of 'high'; src/folders.txt lists 'high' after it"

echo 'int Low() { return 1; }' >src/low/low.cc
mkdir src/new
echo 'int New() { return 1; }' >src/new/new.cc
compile src/low/low.cc
compile src/new/new.cc
says 1 "FAILED: new/new.cc.o: its folder is not in src/folders.txt"
echo "folders that use others above them are found"
