#!/usr/bin/env python3
"""Compares commands with their default options with the corresponding calls of the onnx package: defaults.py ONNXC DIR [--rounds N]

DIR contains `typed.onnxtxt`, which workloads.py writes. For onnxc, a whole process is measured, with start-up, reading and
writing, all checks and all threads. For the reference, a call inside of a process that has loaded the package is measured. The
output contains processor seconds (user and system), the best of all rounds; the ratio; and the peak memory of onnxc. Requires
`onnx` 1.23 (PyPI).
"""
import argparse, os, subprocess, sys, tempfile, time
import onnx
import onnx.checker, onnx.parser, onnx.printer, onnx.shape_inference


# The peak memory of a process includes the memory of the process that forked it, so this process is kept
# small.
MEASURE = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
sys.stderr.write(f"{usage.ru_utime + usage.ru_stime} {usage.ru_maxrss}")
sys.exit(os.waitstatus_to_exitcode(status))
"""


def of_process(command, text, rounds):
    """Returns the seconds and megabytes of a command that reads `text` from its standard input and prints nothing."""
    best, peak = float("inf"), 0
    for _ in range(rounds):
        with open(text, "rb") as given:
            measured = [sys.executable, "-I", "-S", "-c", MEASURE, *command]
            done = subprocess.run(measured, stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}: {done.stderr}")
        seconds, kilobytes = done.stderr.split()
        best, peak = min(best, float(seconds)), max(peak, int(kilobytes) / 1024)
    return best, peak


def of_call(function, rounds):
    best = float("inf")
    for _ in range(rounds):
        begin = time.process_time()
        function()
        best = min(best, time.process_time() - begin)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("onnxc")
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    text = os.path.join(args.folder, "typed.onnxtxt")
    with tempfile.TemporaryDirectory() as work:
        model, out = os.path.join(work, "m.onnx"), os.path.join(work, "out")
        subprocess.run([args.onnxc, "compile", text, "-o", model], check=True)
        with open(text, encoding="utf-8") as file:
            source = file.read()
        message = onnx.load(model)
        parse = of_call(lambda: onnx.parser.parse_model(source), args.rounds)
        check = of_call(lambda: onnx.checker.check_model(message, full_check=True), args.rounds)
        infer = of_call(lambda: onnx.shape_inference.infer_shapes(message, True, True, True), args.rounds)
        show = of_call(lambda: onnx.printer.to_text(message), args.rounds)
        rows = [
            ("check TEXT", ["check", text], parse + check),
            ("compile TEXT", ["compile", text, "-o", out + ".onnx"], parse + check),
            ("check MODEL", ["check", model], check),
            ("infer MODEL", ["infer", model, "-o", out + ".typed.onnx"], infer),
            ("print --types", ["print", "--types", model, "-o", out + ".onnxtxt"], infer + show),
            ("fmt TEXT", ["fmt", "-"], parse + show),
        ]
        print("| command | reference | onnxc | ratio | peak |\n|---|---|---|---|---|")
        for name, arguments, theirs in rows:
            ours, peak = of_process([args.onnxc, *arguments], text, args.rounds)
            print(f"| {name} | {theirs:.3f} s | {ours:.3f} s | {theirs / ours:.2f} | {peak:.0f} MB |")


if __name__ == "__main__":
    main()
