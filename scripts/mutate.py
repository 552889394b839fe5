"""Plants small bugs (mutants) in the source code, one at a time, and shows those that no test catches.

A mutant turns a comparison, replaces `and` by `or` or `+` by `-`, changes a number by one, negates `true` or `false`, swaps
two arguments of a call, or drops a statement. All mutants are compiled into one build, in a copy of the project: each one is
code such as `(::onnxc::Mutant(17) ? (a <= b) : (a < b))`, and the variable ONNXC_MUTANT chooses the one that is active. Each
test first runs without a mutant, and records which mutants it reaches. For each mutant, the tests that reach it are run until
one fails: first those of its folder, then the others, the quickest first. tests/mutants/equivalent.txt lists mutants that
change nothing that a user could notice.
"""

import argparse
import collections
import datetime
import itertools
import json
import math
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from clang.cindex import CursorKind, Index, TranslationUnit

ROOT = Path(__file__).resolve().parent.parent
AREAS = ("infer", "edit", "check", "verdict", "syntax", "lower", "lsp")
LEAST, LEAST_OF_AREA = 0.65, 0.40  # the shares of the mutants that tests must catch; 0.85 and 0.75 are wanted
OF_A_FILE = 4  # mutants that are taken together when a file is drawn: fewer files are then compiled
COPY = ROOT / "build/mutants/tree"
JOBS = int(os.environ.get("JOBS", os.cpu_count()))
BUILD = COPY / "build/release"
TESTS = BUILD / "tests/onnxc_tests"
BYTES = 8 << 30  # the memory that a test may use, so that an endless loop does not use all of it

TURNED = {b"<": b"<=", b"<=": b"<", b">": b">=", b">=": b">", b"==": b"!=", b"!=": b"==", b"&&": b"||", b"||": b"&&",
          b"+": b"-", b"-": b"+"}
OPERATIONS = (CursorKind.BINARY_OPERATOR, CursorKind.CALL_EXPR, CursorKind.UNEXPOSED_EXPR)
STATEMENTS = (*OPERATIONS, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR, CursorKind.UNARY_OPERATOR, CursorKind.BREAK_STMT,
              CursorKind.CONTINUE_STMT, CursorKind.IF_STMT)
# Code that the compiler evaluates: a mutant there could not be switched on.
CONSTANT = (CursorKind.STATIC_ASSERT, CursorKind.ENUM_DECL, CursorKind.TEMPLATE_NON_TYPE_PARAMETER)
SYMMETRIC = re.compile(rb"(std::(max|min)|__builtin_\w+_overflow|is_in)\b")  # calls whose arguments have no order
EVALUATED = re.compile(rb"(static |inline )*constexpr\b")

SWITCH = b"""#pragma once
#include <type_traits>
namespace onnxc {
bool IsMutant(int id);
constexpr bool Mutant(int id) { return !std::is_constant_evaluated() && IsMutant(id); }
}  // namespace onnxc
"""
# The files of a folder are compiled together, each of them included by another: so this turns off the warnings about mutants.
PREFIX = b'#pragma GCC system_header\n#include "tables/mutant.h"\n'
SWITCH_CODE = b"""#include "tables/mutant.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
namespace onnxc {
bool IsMutant(int id) {
  static const int chosen = [] { const char* text = std::getenv("ONNXC_MUTANT"); return text ? std::atoi(text) : -1; }();
  static const char* const reached = std::getenv("ONNXC_MUTANTS_REACHED");
  static std::atomic<bool> seen[10000];
  if (reached != nullptr && !seen[id].exchange(true)) {
    const int file = ::open(reached, O_WRONLY | O_CREAT | O_APPEND, 0644);
    const std::string line = std::to_string(id) + "\\n";
    (void)!::write(file, line.data(), line.size());
    ::close(file);
  }
  return id == chosen;
}
}  // namespace onnxc
"""


@dataclass
class Mutant:
    kind: str
    path: str
    line: int
    start: int  # bytes of the file
    end: int
    old: str
    new: str
    key: str  # what identifies the mutant in equivalent.txt, wherever its line moves: the line without it and with it
    id: int = 0

    def code(self):
        if self.kind == "statement":
            return f"if (!::onnxc::Mutant({self.id})) {self.old}"
        return f"(::onnxc::Mutant({self.id}) ? ({self.new}) : ({self.old}))"


# ---- finding the places


class Finder:
    """Finds the possible mutants of one file."""

    def __init__(self, path, flags):
        self.path, self.data, self.found = path, path.read_bytes(), []
        unit = Index.create(excludeDecls=True).parse(str(path), flags, options=TranslationUnit.PARSE_INCOMPLETE)
        for child in unit.cursor.get_children():
            self.visit(child, unit.cursor)

    def span(self, cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def text(self, cursor):
        start, end = self.span(cursor)
        return self.data[start:end]

    def add(self, kind, start, end, *new):
        """Adds a mutant; `new` are the parts of its code."""
        data, name, new = self.data, str(self.path.relative_to(ROOT)), b"".join(new)
        first, last = data.rfind(b"\n", 0, start) + 1, data.find(b"\n", end)
        if b"//" in data[start:end] or b"\n#" in data[start:end]:
            return
        lines = data[first:last], data[first:start] + new + data[end:last]
        without, mutated = (" ".join(text.decode().split()) for text in lines)
        old, new = (re.sub(r"\n\s*", " ", text.decode()) for text in (data[start:end], new))  # errors then show the number
        key = f"{name}: {without} -> {mutated or 'nothing'}"
        self.found.append(Mutant(kind, name, data.count(b"\n", 0, start) + 1, start, end, old, new, key))

    def visit(self, cursor, parent):
        """Finds the mutants in a cursor and beneath it."""
        file = cursor.extent.start.file
        if file is None or file.name != str(self.path) or cursor.kind in CONSTANT or EVALUATED.match(self.text(cursor)):
            return
        if cursor.spelling == "reserve":  # changes only the speed
            return
        children = list(cursor.get_children())
        self.operation(cursor, children)
        self.literal(cursor)
        self.arguments(cursor)
        self.statement(cursor, parent, children)
        evaluated = cursor.kind == CursorKind.CASE_STMT or re.match(rb"if constexpr\b", self.text(cursor))
        for child in children[1:] if evaluated else children:
            self.visit(child, cursor)

    def operation(self, cursor, children):
        if cursor.kind not in OPERATIONS or len(children) not in (2, 3):  # an overloaded operator is a child, too
            return
        (start, end), (_, left), (right, _) = map(self.span, (cursor, children[0], children[-1]))
        operator = self.data[left:right].strip()
        turned = TURNED.get(operator)
        if turned and (cursor.kind == CursorKind.BINARY_OPERATOR or operator not in (b"+", b"-")):  # strings have no -
            self.add("operation", start, end, self.data[start:left], b" ", turned, b" ", self.data[right:end])

    def literal(self, cursor):
        text = self.text(cursor)
        if cursor.kind == CursorKind.INTEGER_LITERAL and text.isdigit():
            self.add("constant", *self.span(cursor), b"%d" % (int(text) + 1))
        elif cursor.kind == CursorKind.CXX_BOOL_LITERAL_EXPR and text in (b"true", b"false"):
            self.add("constant", *self.span(cursor), b"false" if text == b"true" else b"true")

    def arguments(self, cursor):
        if cursor.kind != CursorKind.CALL_EXPR or SYMMETRIC.match(self.text(cursor)):
            return
        start, end = self.span(cursor)
        type_of = lambda argument: argument.type.get_canonical().spelling.removeprefix("const ")
        for first, second in itertools.pairwise(a for a in cursor.get_arguments() if a is not None):
            (a, a_end), (b, b_end) = self.span(first), self.span(second)
            if type_of(first) == type_of(second) and start < a < a_end < b < b_end < end and self.text(first) != self.text(second):
                swapped = self.text(second), self.data[a_end:b], self.text(first)
                self.add("arguments", start, end, self.data[start:a], *swapped, self.data[b_end:end])

    def statement(self, cursor, parent, children):
        if parent.kind != CursorKind.COMPOUND_STMT or cursor.kind not in STATEMENTS:
            return
        start, end = self.span(cursor)
        if cursor.kind == CursorKind.IF_STMT:  # one that only leaves the block early
            if re.search(rb"\)\s*(return\b[^{;]*|break|continue)$", self.text(cursor)) and self.data[end : end + 1] == b";":
                self.add("statement", start, end + 1)
        elif self.data[end : end + 1] == b";":
            self.add("statement", start, end + 1)


def compile_flags():
    """Returns the flags with which libclang reads the files of ROOT, and precompiles the headers that they share."""
    flags, headers = {}, {}
    for command in json.loads((BUILD / "compile_commands.json").read_text()):
        if re.search(r"/CMakeFiles/onnxc(_syntax|_server)?\.dir/Unity/", command["file"]):
            words = shlex.split(command["command"].replace(f"{COPY}/src", f"{ROOT}/src"))
            for word, following in itertools.pairwise(words):
                if re.match(r"-(I|D|std=)", word):
                    flags[word] = [word]
                elif word == "-isystem":
                    flags[following] = [word, following]
                elif word == "-include":
                    headers[following] = f'#include "{following}"\n'
    builtin = subprocess.run(["clang", "-print-resource-dir"], capture_output=True, text=True, check=True).stdout.strip()
    syntax_first = ["-I", str(ROOT / "src/syntax/runtime")]  # its antlr4-runtime.h
    found = [*syntax_first, *sum(flags.values(), []), "-resource-dir", builtin, "-w"]
    header = COPY / "build/all.h"
    header.write_text("".join(headers.values()))
    unit = Index.create().parse(str(header), ["-x", "c++-header", *found], options=TranslationUnit.PARSE_INCOMPLETE)
    unit.save(f"{header}.pch")
    return [*found, "-include-pch", f"{header}.pch"]


def mutants_of(path, wanted, seed, flags):
    """Returns `wanted` mutants of a file that do not overlap, or less; each kind is as likely as the others."""
    rng, kinds, chosen = random.Random(f"{seed} {path.name}"), collections.defaultdict(list), []
    for mutant in Finder(path, flags).found:
        kinds[mutant.kind].append(mutant)
    while kinds and len(chosen) < wanted:
        kind = rng.choice(sorted(kinds))
        mutant = kinds[kind].pop(rng.randrange(len(kinds[kind])))
        if not kinds[kind]:
            del kinds[kind]
        if all(mutant.end <= other.start or other.end <= mutant.start for other in chosen):
            chosen.append(mutant)
    return sorted(chosen, key=lambda m: m.start)


def choose(options):
    """Returns the mutants. In each area, a file is as likely as it is long."""
    rng, drawn = random.Random(options.seed), collections.Counter()
    for area in options.areas:
        files = sorted((ROOT / "src" / area).glob("*.cc"))
        draws = math.ceil(options.count / len(options.areas) / OF_A_FILE)
        for path in rng.choices(files, weights=[f.stat().st_size for f in files], k=draws):
            drawn[path] += OF_A_FILE
    with ProcessPoolExecutor(JOBS) as pool:
        same = itertools.repeat(options.seed), itertools.repeat(compile_flags())
        found = pool.map(mutants_of, drawn, drawn.values(), *same)
        mutants = list(itertools.chain(*found))
    for number, mutant in enumerate(mutants):
        mutant.id = number
    return mutants


# ---- building the copy


def write_copy(mutants):
    """Makes COPY the project as it is now, with these mutants. The time of a file changes only if the file does."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    names = {name for name in listed if (ROOT / name).is_file() and not (ROOT / name).is_symlink()}
    wanted = {name: (ROOT / name).read_bytes() for name in names}
    for mutant in sorted(mutants, key=lambda m: -m.start):
        data = wanted[mutant.path]
        wanted[mutant.path] = data[: mutant.start] + mutant.code().encode() + data[mutant.end :]
    for path in {mutant.path for mutant in mutants}:
        wanted[path] = PREFIX + wanted[path]
    wanted |= {"src/tables/mutant.h": SWITCH, "src/tables/mutant.cc": SWITCH_CODE}
    for name, data in wanted.items():
        file = COPY / name
        if not file.exists() or file.read_bytes() != data:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            if name in names:
                shutil.copymode(ROOT / name, file)
    for folder in ("src", "tests", "testdata"):
        for file in (COPY / folder).rglob("*"):
            if file.is_file() and str(file.relative_to(COPY)) not in wanted:
                file.unlink()


def build(*arguments):
    """Builds the copy; returns the errors of the compiler."""
    command = ["cmake", "--build", "--preset", "release", "-j", str(JOBS), "--target", *arguments]
    done = subprocess.run(command, cwd=COPY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout if done.returncode else ""


def plant(options):
    """Builds the copy with mutants, and returns them. Mutants that do not compile are left out."""
    write_copy([])
    subprocess.run(["cmake", "--preset", "release", "--log-level=WARNING"], cwd=COPY, check=True, stdout=subprocess.DEVNULL)
    if errors := build("onnxc_proto", "onnxc_syntax"):  # generates headers
        sys.exit(errors)
    mutants = choose(options)
    while True:
        write_copy(mutants)
        errors = build("onnxc_cli", "onnxc_tests", "--", "-k0")
        if not errors:
            return mutants
        # The compiler shows the lines, or only names them if the error is in a header of the system.
        named = re.findall(rf"{re.escape(str(COPY))}/(src/[\w./]+):(\d+)", errors)
        lines = [(COPY / path).read_text().splitlines()[int(line) - 1] for path, line in named]
        wrong = {int(number) for number in re.findall(r"Mutant\((\d+)\)", "\n".join([errors, *lines]))}
        if not wrong:
            sys.exit(errors)
        mutants = [mutant for mutant in mutants if mutant.id not in wrong]


# ---- running the tests


def run(tests, limit, **environment):
    """Runs tests until one fails; returns its name, or nothing if all pass."""
    command = ["prlimit", f"--data={BYTES}", "timeout", "-s", "KILL", str(limit), TESTS,
               "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter={':'.join(tests)}"]
    done = subprocess.run(command, cwd=BUILD / "tests", env={**os.environ, **environment}, capture_output=True,
                          stdin=subprocess.DEVNULL)
    failed = re.search(rb"\[  FAILED  \] ([^\s,]+)", done.stdout)
    return done.returncode and (failed[1].decode() if failed else f"exit status {done.returncode}, {tests[0]}...")


def list_tests():
    """Returns {test: the folder of its file}."""
    file = COPY / "build/tests.json"
    subprocess.run([TESTS, "--gtest_list_tests", f"--gtest_output=json:{file}"], stdout=subprocess.DEVNULL, check=True)
    suites = json.loads(file.read_text())["testsuites"]
    return {f"{suite['name']}.{test['name']}": Path(test["file"]).parent.name for suite in suites for test in suite["testsuite"]}


def reach():
    """Runs each test without a mutant. Returns {test: (the folder of its file, seconds, the mutants that it reaches)}."""
    folders = list_tests()

    def one(test):
        file = COPY / "build" / f"reached-{test.replace('/', '-')}"
        file.write_bytes(b"")
        start = time.monotonic()
        failed = run([test], 900, ONNXC_MUTANTS_REACHED=str(file))
        found = folders[test], time.monotonic() - start, set(map(int, file.read_text().split()))
        file.unlink()
        if failed:
            print(f"{test} fails without a mutant, so it is left out", flush=True)
        return None if failed else (test, found)

    with ThreadPoolExecutor(JOBS) as pool:
        return dict(filter(None, pool.map(one, folders)))


def judge(mutant, reached, seconds):
    """Returns the first test that fails, or nothing. Each run takes as long as all runs before it, so there are few runs. The
    tests of the mutant's folder come first: the many that only pass through its code could use up the time."""
    own = mutant.path.split("/")[1]
    tests = sorted((folder != own, took, test) for test, (folder, took, ids) in reached.items() if mutant.id in ids)
    totals = itertools.accumulate(took for _, took, _ in tests)
    possible = [(total, test) for total, (_, _, test) in zip(totals, tests) if total <= seconds]
    for power, part in itertools.groupby(possible, lambda pair: max(0, math.ceil(math.log2(pair[0])))):
        if failed := run([test for _, test in part], 30 + 10 * 2**power, ONNXC_MUTANT=str(mutant.id)):
            return failed
    return None


def main():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="scripts/mutate", description=__doc__, formatter_class=raw)
    parser.add_argument("--count", metavar="N", default=200, type=int, help="about so many mutants, in each folder as many")
    parser.add_argument("--seed", metavar="TEXT", default=datetime.date.today().isoformat(), help="default: the date")
    parser.add_argument("--areas", metavar="FOLDERS", default=AREAS, type=lambda text: text.split(","), help=",".join(AREAS))
    parser.add_argument("--only", metavar="ID", nargs="+", type=int, help="of these mutants, test only some again")
    parser.add_argument("--seconds", default=60, type=int, help="the time for one mutant; slower tests are left out")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    mutants = plant(options)
    print(f"{len(mutants)} mutants compile", flush=True)
    reached = reach()
    lines = (ROOT / "tests/mutants/equivalent.txt").read_text().splitlines()
    equivalent = {line.split("  # ")[0] for line in lines}
    mutants = [m for m in mutants if m.key not in equivalent and (not options.only or m.id in options.only)]
    random.Random(options.seed).shuffle(mutants)
    caught, planted = collections.Counter(), collections.Counter()
    with ThreadPoolExecutor(JOBS) as pool:
        for mutant, failed in zip(mutants, pool.map(lambda m: judge(m, reached, options.seconds), mutants)):
            area = mutant.path.split("/")[1]
            planted[area] += 1
            caught[area] += bool(failed)
            number = sum(mutant.id in ids for _, _, ids in reached.values())
            verdict = f"caught by {failed}" if failed else f"SURVIVES, reached by {number} tests"
            print(f"{mutant.key}\n  line {mutant.line}, mutant {mutant.id}: {verdict}", flush=True)
    print(f"\n{'folder':9} mutants  caught")
    for area in planted:
        print(f"{area:9} {planted[area]:7}  {caught[area]:6}  {caught[area] / planted[area]:.0%}")
    print(f"{'all':9} {planted.total():7}  {caught.total():6}  {caught.total() / max(1, planted.total()):.0%}")
    return caught.total() < LEAST * planted.total() or any(caught[a] < LEAST_OF_AREA * planted[a] for a in planted)


if __name__ == "__main__":
    sys.exit(main())
