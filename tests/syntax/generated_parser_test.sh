#!/usr/bin/env bash
# generated_parser_test.sh PARSER_CPP OBJECTS: checks that the generated code uses the members of
# src/syntax/parser_base.h instead of the members of the runtime. Neither the source nor the object file may
# refer to the hidden members.
set -euo pipefail

source=$1
object=$(tr ';' '\n' <<<"$2" | grep 'OnnxTextParser\.cpp\.o$')
failed=0
fail() { printf 'FAILED: %s\n' "$1"; failed=1; }

grep -qE 'ANTLR 4\.([789]|1[0-3])' "$source" || fail "$source names no ANTLR version of 4.7 to 4.13"
if grep -n 'adaptivePredict' "$source"; then
  fail "a decision of the grammar needs more than one token of lookahead"
fi

# (getState() still appears, because in runtimes up to 4.9 it is in the tables of virtual functions.)
undefined=$(nm --undefined-only --demangle "$object")
hidden='antlr4::Parser::(match|consume|enterRule|exitRule|enterOuterAlt|setState)\(
antlr4::Recognizer::setState\(
antlr4::(DefaultErrorStrategy|ANTLRErrorStrategy|ParserInterpreter)::
antlr4::tree::ParseTreeTracker
ParseTreeTracker::createInstance'
while read -r pattern; do
  if grep -E "$pattern" <<<"$undefined"; then fail "generated code calls the runtime's $pattern"; fi
done <<<"$hidden"

# Calls by an unqualified or member name: each must be a member of ParserBase, of a class that replaces one of
# ANTLR's, or of the generated class itself.
known='match|consume|enterRule|exitRule|enterOuterAlt|setState|getState|Completed|createInstance|sync|reportMatch'
known+='|NoViableAltException|recoverInline|reportError|recover|LA|LT|finally|current_exception|if|while|switch|for|catch|LL'
rules=$(grep -oE '^OnnxTextParser::[A-Za-z]+Context\* OnnxTextParser::[A-Za-z]+\(' "$source" | sed -E 's/.*::([A-Za-z]+)\(/\1/' | paste -sd'|')
calls=$(sed -n '/^OnnxTextParser::[A-Za-z]*Context\* OnnxTextParser::/,/^}/p' "$source" | grep -v '^OnnxTextParser::' |
  grep -oE '(->|\.|[^A-Za-z0-9_:>.])[A-Za-z_]+\(' | grep -oE '[A-Za-z_]+' | sort -u)
[ -n "$calls" ] || fail "no call found in $source"
unknown=$(grep -vxE "$known|$rules" <<<"$calls" || true)
[ -z "$unknown" ] || fail "generated code calls what the base class does not know: $(paste -sd' ' <<<"$unknown")"

[ $failed = 0 ] && echo "generated parser: every call is resolved as meant"
exit $failed
