#!/usr/bin/env bash
# refusal_test.sh SOURCE WORK: scripts/release must refuse a tree with changes, a changelog without the
# version, and a wrong tag; .ci/run must refuse a part of the nightly steps that does not exist.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work/scripts" "$work/.ci"
cp "$source/scripts/lib.sh" "$source/scripts/release" "$work/scripts"
cp "$source/.ci/run" "$work/.ci"
cd "$work"
git=(git -c user.name=test -c user.email=test@localhost -c core.hooksPath=/dev/null)
echo 'project(onnxc VERSION 1.2.3 LANGUAGES CXX)' >CMakeLists.txt
printf '# Changelog\n\n## 1.2.30\n' >CHANGELOG.md
git init -q .
save() { "${git[@]}" add -A && "${git[@]}" commit -qm change; }
failed=0
command=(scripts/release --check)
# expect STATUS WORDS: the expected result of the command.
expect() {
  local status=0 output
  output=$("${command[@]}" 2>&1) || status=$?
  case $status:$output in
    "$1:"*"$2"*) ;;
    *) printf 'FAILED: "%s: %s" is not in "%s: %s"\n' "$1" "$2" "$status" "$output"; failed=1 ;;
  esac
}
save
expect 1 "CHANGELOG.md has no section '## 1.2.3'"
printf '# Changelog\n\n## 1.2.3 (not yet released)\n' >CHANGELOG.md
expect 1 "CHANGELOG.md"
expect 1 "what is not committed would be missing"
save
expect 0 "onnxc-1.2.3 can be released"
git tag v1.2.4
expect 1 "has the tag v1.2.4, but CMakeLists.txt says version 1.2.3"
git tag -d v1.2.4 >/dev/null
git tag v1.2.3
expect 1 "CHANGELOG.md says that 1.2.3 is not yet released"
printf '# Changelog\n\n## 1.2.3 (1 May 2030)\n' >CHANGELOG.md
save
git tag -f v1.2.3 >/dev/null
expect 0 "onnxc-1.2.3 can be released"
for part in 7/6 0/6 1/0 6 a/b; do
  command=(.ci/run --nightly $part)
  expect 2 "not '$part'"
done
[ "$failed" = 0 ] && echo "release: refuses what it should"
exit $failed
