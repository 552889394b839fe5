#!/usr/bin/env bash
# hardening_test.sh BINARY: checks that a release binary is hardened.
set -euo pipefail
binary=$1
status=0

# expect PATTERN COMMAND...: fails if the output of the command does not match the pattern.
expect() {
  local pattern=$1
  shift
  "$@" 2>/dev/null | grep -E "$pattern" >/dev/null || { echo "$binary: no '$pattern' in: $*"; status=1; }
}

expect 'Type: +DYN' readelf -h "$binary"
expect 'FLAGS_1.*PIE' readelf -d "$binary"
expect 'GNU_RELRO' readelf -l "$binary"
expect 'GNU_STACK.*RW  ' readelf -lW "$binary"
expect 'BIND_NOW|FLAGS_1.*NOW' readelf -d "$binary"
expect '__stack_chk_fail' readelf -sW "$binary"
expect '__[a-z]+_chk' readelf -sW "$binary"
if [ "$(uname -m)" = x86_64 ]; then expect 'endbr64' objdump --disassemble=main --no-show-raw-insn "$binary"; fi
exit $status
