#!/usr/bin/env bash
# Every package that a script takes from PyPI, npm or crates.io has a recorded hash: pip gets `--require-hashes` (or installs a file
# that was built here, with `--no-index`), npm runs `npm ci` with a lock file, cargo gets `--locked`. Then the same search must find
# commands of each kind that forget it. Usage: pins_test.sh SOURCES FOLDER
set -euo pipefail
sources=$1 folder=$2
status=0

# unpinned FILE...: prints the commands that install without hashes, after `FILE: `. A command may continue on the next line.
unpinned() {
  local file
  for file in "$@"; do
    sed -E -e ':line' -e '/\\$/{N; s/\\\n//; t line' -e '}' "$file" | grep -vE '^\s*(#|//)' |
      grep -E -e '\bpip[0-9.]*['\''",]* +["'\'']?(\$|-|install|download|wheel)' -e '\bnpm[^|;&]* (install|i|add|update|exec|x) ' \
        -e '\b(npx|pipx|uvx|yarn|pnpm|uv pip install|uv tool|easy_install|pip\.main) ' -e '\bcargo install ' |
      grep -vE -e '--require-hashes|--no-index' -e 'cargo install .*--locked' | sed "s|^|$file: |" || true
  done
}

cd "$sources"  # so that no folder above the project is taken for one of its own
mapfile -t files < <(find . \( -name build -o -name node_modules -o -name .git \) -prune -o -type f \
  ! -name '*.md' ! -name '*.ipynb' ! -name 'package-lock.json' ! -path "*/pins_test.sh" ! -path '*/testdata/*' \
  ! -path '*/src/*' -print0 | xargs -0 grep -lIE '\b(pip|npm|npx|pnpm|yarn|pipx|uvx|cargo|easy_install)\b')
[ ${#files[@]} -gt 10 ] || { echo "FAILED: only ${#files[@]} files were searched"; status=1; }
found=$(unpinned "${files[@]}")
[ -z "$found" ] || { echo "FAILED: these commands install packages without hashes:"; echo "$found"; status=1; }

# Each list has a hash for each package, and contains each package that its LIST.in names.
while read -r list; do
  bad=$(grep -vE '^#|^$| --hash=sha256:[0-9a-f]{64}' "$list") && { echo "FAILED: $list: without a hash: $bad"; status=1; }
  while read -r package; do
    name=${package%%[*} name=${name%%==*} version=${package##*==}
    grep -qiE "^${name//[-_.]/[-_.]}==$version( |$)" "$list" || { echo "FAILED: $list lacks $package; run scripts/pin"; status=1; }
  done < <(grep -v '^#' "${list%.txt}.in")
done < <(find "$sources"/{scripts,python,editors,tests} -name node_modules -prune -o -name '*.in' -print | sed 's/\.in$/.txt/')
while read -r lock; do
  [ -e "$lock" ] || { echo "FAILED: there is no $lock"; status=1; }
done < <(find "$sources"/{npm,web,editors} -name node_modules -prune -o -name package.json -print | sed 's/package.json$/package-lock.json/')

mkdir -p "$folder"
while IFS= read -r command; do
  printf '%b\n' "$command" >"$folder/script"
  [ -n "$(unpinned "$folder/script")" ] || { echo "FAILED: not found: $command"; status=1; }
done <<'COMMANDS'
pip install onnx
"$venv/bin/pip" install -q --disable-pip-version-check -r requirements.txt
python3 -m pip download onnx==1.23.2
"$1" -m pip "$2" -q \\\\\n  -r list.txt
subprocess.run([sys.executable, "-m", "pip", "install", "onnx"])
pip3.11 wheel .
npm install code-server
npm --prefix web install typescript
npx vsce package
cargo install tree-sitter-cli
COMMANDS
printf '# pip install onnx\npip install --require-hashes \\\n  -r list.txt\nnpm ci\ncargo install --locked x\n' >"$folder/script"
[ -z "$(unpinned "$folder/script")" ] || { echo "FAILED: found in a script with hashes: $(unpinned "$folder/script")"; status=1; }
exit $status
