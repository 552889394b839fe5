#!/usr/bin/env bash
# program_test.sh PROGRAM SOURCE [chroot|EMULATOR...]: a program that was built for other machines compiles,
# prints, checks and infers the examples, and must produce the golden files. With `chroot`, it runs in a root
# folder that contains only the program and the texts.
set -euo pipefail
program=$(realpath "$1") source=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$program" "$work/onnxc"
cp -r "$source/testdata/examples" "$source/testdata/golden" "$work"
if [ "${1:-}" = chroot ]; then run=(chroot "$work" /onnxc); else run=("$@" "$work/onnxc"); fi
cd "$work"
failed=0 count=0

# expect WANTED COMMAND...: the command must print the contents of the file WANTED, except for line breaks at
# the end. Messages that protobuf's text format cannot represent are skipped.
expect() {
  local wanted=$1
  shift
  count=$((count + 1))
  if ! "$@" >actual 2>errors; then
    ! grep -qF '[lossy-format]' errors || return 0
    echo "FAILED: $*"
    head -5 errors
    failed=$((failed + 1))
  elif ! cmp -s actual "$wanted" && [ "$(cat actual)" != "$(cat "$wanted")" ]; then
    echo "FAILED: $*"
    diff "$wanted" actual | head -5 || true
    failed=$((failed + 1))
  fi
}
# call ARGUMENT...: the file names are valid both in the root folder and outside of it.
call() { "${run[@]}" "$@"; }
if [ "${1:-}" = chroot ]; then prefix=/; else prefix=$work/; fi

for text in golden/*.onnxtxt; do
  kind=${text%.onnxtxt}
  kind=${kind##*.}
  expect "${text%.onnxtxt}.textproto" call convert --kind "$kind" --to textproto "$prefix$text"
  call convert --kind "$kind" "$prefix$text" -o "${prefix}m.pb"
  expect "${text%.onnxtxt}.printed" call print --quiet --kind "$kind" --dialect reference --allow-loss "${prefix}m.pb"
done
for text in examples/*.onnxtxt; do
  call compile "$prefix$text" -o "${prefix}m.onnx"
  call print "${prefix}m.onnx" -o "${prefix}m.onnxtxt"
  call compile "${prefix}m.onnxtxt" -o "${prefix}again.onnx"
  cmp m.onnx again.onnx || failed=$((failed + 1))
  call check "$prefix$text" >actual
  call infer "$prefix$text" -o "${prefix}typed.onnx"
done
{ printf 'Content-Length: 75\r\n\r\n'; printf '%-75s' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'; } >lsp
call lsp <lsp >actual 2>/dev/null || true
grep -q '"capabilities"' actual || { echo "FAILED: lsp"; failed=$((failed + 1)); }
echo "$(basename "$program"): $count files compared, $failed wrong"
[ "$failed" = 0 ]
