#!/usr/bin/env bash
# workflows_test.sh SOURCE WORK ONNXC: runs the commands of the workflows in docs/ci.md, in a clone with one changed model. What
# installs onnxc or needs a server is replaced by functions. Each workflow must show the change, and fail if a model has an error.
set -euo pipefail
source=$1 work=$2
PATH=$(dirname "$3"):$PATH
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b.c
rm -rf "$work"
mkdir -p "$work/origin/models"
cd "$work"
fail() { echo "FAILED: $*"; exit 1; }

cp "$source/testdata/examples/mlp.onnxtxt" origin/models/text.onnxtxt
onnxc fmt -qw origin/models/text.onnxtxt
onnxc compile origin/models/text.onnxtxt -o origin/models/mlp.onnx
git init -q -b main origin
git -C origin add .
git -C origin commit -q -m 'A model'
git clone -q origin clone
cd clone
git checkout -q -b change
onnxc print models/mlp.onnx | sed 's/Relu/LeakyRelu <alpha = 0.1>/' | onnxc compile - -o models/mlp.onnx
git commit -q -a -m 'LeakyRelu'

# github, gitlab: print the commands of a workflow. A command is the rest of its line, or the lines below '|' with more indentation.
blocks='
  function depth(line) { match(line, /^ */); return RLENGTH }
  inside && (depth($0) > outer || NF == 0) { print; next }
  { inside = 0 }
  $0 ~ head { outer = depth($0); line = $0; sub(head, "", line); if (line == "|") inside = 1; else print line }'
yaml() { sed -n "/^\`\`\`yaml\$/,/^\`\`\`\$/p" "$source/docs/ci.md" | sed -n "/^$1:/,/^\`\`\`\$/p" | sed '$d'; }
github() { yaml name | awk -v head='^ *run: ' "$blocks" | sed -E 's/\$\{\{[^}]*\}\}/1/g'; }
gitlab() { yaml models | sed -n '/before_script:/,/artifacts:/p' | awk -v head='^ *- ' "$blocks"; }

cat >"$work/stubs" <<'END'
set -eo pipefail
curl() { touch onnxc.download; }
sha256sum() { cat >/dev/null; }
sudo() { :; }
apt-get() { :; }
install() { :; }
gh() { cat changes.md; }
BASE=origin/main CI_MERGE_REQUEST_DIFF_BASE_SHA=$(git merge-base origin/main HEAD) CI_PIPELINE_SOURCE=merge_request_event
END
for name in github gitlab; do
  { cat "$work/stubs"; $name; } >"$work/$name.sh"
  [ "$(grep -c onnxc "$work/$name.sh")" -ge 5 ] || fail "$name: the commands were not found"
  bash "$work/$name.sh" >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; fail "$name"; }
  grep -qF '~ graph.node[1]: Relu -> LeakyRelu' "$work/$name.log" || { cat "$work/$name.log"; fail "$name: no change is shown"; }
  [ -s findings.sarif ] || fail "$name: there is no SARIF"
  rm findings.sarif
  cp "$source/testdata/docs/typo.onnxtxt" models
  if bash "$work/$name.sh" >"$work/$name.log" 2>&1; then fail "$name: an error in a model is accepted"; fi
  rm models/typo.onnxtxt
done
echo "workflows: ok"
