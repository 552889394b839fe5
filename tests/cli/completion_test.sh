#!/usr/bin/env bash
# completion_test.sh ONNXC SHELL: tests the completion of incomplete command lines in that shell. Exit status
# 77: the shell is not installed.
set -euo pipefail
onnxc=$1 shell=$2
if ! command -v "$shell" >/dev/null; then
  echo "SKIPPED: there is no $shell here"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$onnxc" completion "$shell" >"$work/_onnxc"
cd "$work"
mkdir files && touch files/model.onnx && cd files

# Each function prints what the shell offers when TAB is pressed after the line, one word per line.
offers_bash() {
  bash -c '
    source "$1"
    read -ra COMP_WORDS <<<"${2//=/ = }"
    if [[ $2 == *[\ =] ]]; then [[ $2 == *= ]] || COMP_WORDS+=(""); fi
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    compopt() { compgen -f -- "${COMP_WORDS[COMP_CWORD]}"; }   # like readline with `-o default`
    _onnxc
    printf "%s\n" "${COMPREPLY[@]}"' bash "$work/_onnxc" "$1"
}
offers_fish() { fish -c 'source $argv[1]; complete -C $argv[2]' "$work/_onnxc" "$1" | cut -f1; }
# zsh completes only in a terminal, so one is started in a pseudo-terminal and prints what it would insert.
# The input may be echoed before `stty` takes effect, so the words that the test waits for are spelled
# differently in the input.
offers_zsh() {
  local attempt offered
  for attempt in 1 2 3 4 5 6 7 8; do  # input that arrives before the line editor is ready is lost
    offered=$(ask_zsh "$1" || true)
    [ -z "$offered" ] || break
    sleep "0.$attempt"
  done
  printf '%s\n' "$offered"
}
ask_zsh() {
  timeout 20 zsh -f -c '
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "PS1=; stty -echo; autoload -Uz compinit; compinit -u -d $3; source $1"
    zpty -w shell "compadd() { builtin compadd -O found \"\$@\"; print -rl -- \"\${(@)found/#/off\"\"er:}\"; builtin compadd \"\$@\" }"
    zpty -w shell "zle -C offers complete-word offers; offers() { _main_complete }; bindkey \"^I\" offers; print -r rea\"\"dy:"
    zpty -r -m shell line "*ready:*"
    zpty -w -n shell "$2"$'\''\t'\''
    zpty -w shell $'\''\x15'\''"print -r do\"\"ne:"
    zpty -r -m shell line "*done:*"
    print -r -- "$line"' zsh "$work/_onnxc" "$1" "$work/dump" |
    sed 's/\x1b\[[0-9;?]*[a-zA-Z]//g' | tr -cd '\n[:print:]' | sed -n 's/.*offer://p'
}

failed=0
# expect LINE WORD...: the shell must offer these words, and no others unless the first word is `...`.
expect() {
  local line=$1 offered word
  shift
  offered=$("offers_$shell" "$line" | sed 's/ *$//; s/^--[a-z-]*=\(.\)/\1/' | sort -u | sed '/^$/d')
  if [ "$1" = ... ]; then
    shift
    for word in "$@"; do
      grep -qxF -e "$word" <<<"$offered" || { echo "FAILED: '$line' does not offer '$word' but: ${offered//$'\n'/ }"; failed=1; }
    done
  elif [ "$offered" != "$(printf '%s\n' "$@" | sort)" ]; then
    echo "FAILED: '$line' offers: ${offered//$'\n'/ }, not: $*"
    failed=1
  fi
}

expect 'onnxc comp' compile completion
expect 'onnxc ' ... help compile print check
expect 'onnxc help pr' print
expect 'onnxc completion ' bash zsh fish
expect 'onnxc print --dial' --dialect
expect 'onnxc print --dialect ' onnxc reference
expect 'onnxc print --dialect ref' reference
expect 'onnxc print --dialect=ref' reference
expect 'onnxc compile --kind sha' shape
expect 'onnxc compile --t' --threads --to
expect 'onnxc check -' ... --strict --kind --color -q --help
expect 'onnxc check mod' model.onnx
expect 'onnxc compile -o mod' model.onnx
expect 'onnxc explain unused-va' unused-value
expect 'onnxc check -W unused-in' unused-initializer unused-input
expect 'onnxc rename --only dim' dimensions
expect 'onnxc diff --ignore do' docs
[ $failed = 0 ]
echo "completion in $shell: ok"
