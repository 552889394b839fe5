#!/usr/bin/env python3
"""Compares onnxc with the C++ code of the reference, the onnx package: compare.py BUILD DIR [NAME ...] [--rounds N] [--growth]

BUILD is the folder of a release build. DIR contains texts that workloads.py has written. In every round, two things are timed
for each text, one after the other:
  reference  the call of its C++ parser (parse + serialize) or printer (protobuf parse + print), inside of one process,
             without start-up, and without reading or writing files
  onnxc      a whole process: start-up, reading, parsing, serializing or printing, and writing a file that does not exist yet
So the comparison favours the reference. The output contains the ratio reference / onnxc of the best times and of the median
times (above 1: onnxc is faster), megabytes of text per second, and the peak memory of onnxc. If the build contains
onnxc_stages, the library alone is compared, too, with the best times of as many rounds: text to ModelProto and ModelProto to
text, each with the corresponding call of the reference. Two more ratios follow. The first compares text to ModelProto with the
time that protobuf needs to parse the bytes of the same model. The second compares ModelProto to text with the printer of the
reference alone, that is, its call minus the time that its protobuf needs to parse the bytes. The results must have the same
meaning, and onnxc must write the same bytes with 1 and 2 threads.
--growth: measures onnxc alone, on workloads of 1/2 to 8 times the size. The output is the seconds per byte, relative to the
first size.
Requires the `onnx` package (PyPI, 1.23).
"""
import argparse, json, os, statistics, subprocess, sys, tempfile, time
import onnx
import onnx.onnx_cpp2py_export as cpp

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "tests", "conformance"))
from conform import normalise

NAMES = ["nodes", "weights", "strings", "halfs", "nested", "small"]

# The peak memory of a process includes the memory of the process that forked it, so this process is kept
# small.
MEASURE = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def timed(function):
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def run(command, output=None):
    """Returns the seconds of one run. An old file `output` is removed before, because replacing it would take as long as
    writing it."""
    if output and os.path.exists(output):
        os.remove(output)
    seconds, status = timed(lambda: os.waitpid(os.posix_spawn(command[0], command, os.environ), 0)[1])
    if status != 0:
        sys.exit(f"{command}: status {os.waitstatus_to_exitcode(status)}")
    return seconds


def peak(command):
    """Returns the peak memory in MB of one run."""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", MEASURE, *command], stdout=subprocess.PIPE, check=True)
    return int(done.stdout) / 1024


def without_version(data):
    """Returns the bytes of the model without its ir_version. The checker of the reference parses these bytes, and then
    rejects the model at once, so its time is the time for parsing."""
    model = onnx.ModelProto()
    model.ParseFromString(data)
    model.ClearField("ir_version")
    return model.SerializeToString()


def only_parse(data):
    try:
        cpp.checker.check_model(data, False, False, False)
    except cpp.checker.ValidationError as error:
        if "ir_version" in str(error):
            return
    sys.exit("the reference's checker does not refuse a model without ir_version")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def canonical(data):
    model = onnx.ModelProto()
    model.ParseFromString(data)
    return normalise(model).SerializeToString(deterministic=True)


def report(name, what, size, reference, ours, memory):
    best, median = min(reference) / min(ours), statistics.median(reference) / statistics.median(ours)
    print(f"{name:8} {what:7} {size / 1e6:7.1f} MB  reference {size / 1e6 / min(reference):7.1f} MB/s  onnxc "
          f"{size / 1e6 / min(ours):7.1f} MB/s  ratio best {best:5.2f} median {median:5.2f}  peak {memory:4.0f} MB", flush=True)


def compare(onnxc, source, name, rounds, scratch):
    """Returns the reference's best times: parse, print, print without parsing the bytes."""
    text = read(source).decode()
    binary, printed, again = (os.path.join(scratch, file) for file in ("m.onnx", "m.onnxtxt", "again.onnx"))
    compiling = [onnxc, "compile", "--no-check", source, "-o", binary]
    printing = [onnxc, "print", binary, "-o", printed]
    ref_parse, our_parse, ref_print, our_print = [], [], [], []
    for _ in range(rounds):
        seconds, (ok, message, data) = timed(lambda: cpp.parser.parse_model(text))
        if not ok:
            sys.exit(f"{source}: the reference refuses it: {message}")
        ref_parse.append(seconds)
        our_parse.append(run(compiling, binary))
    if canonical(read(binary)) != canonical(data):
        sys.exit(f"{source}: the results differ")
    report(name, "compile", len(text), ref_parse, our_parse, peak(compiling))
    same_with_threads(compiling, binary)
    with open(binary, "wb") as file:
        file.write(data)
    headless, ref_bytes = without_version(data), []
    for _ in range(rounds):
        seconds, theirs = timed(lambda: cpp.printer.model_to_text(data))
        ref_print.append(seconds)
        our_print.append(run(printing, printed))
        ref_bytes.append(timed(lambda: only_parse(headless))[0])
    run([onnxc, "compile", "--no-check", printed, "-o", again])
    if canonical(read(again)) != canonical(data):
        sys.exit(f"{source}: print -> compile gives another model")
    report(name, "print", len(theirs), ref_print, our_print, peak(printing))
    same_with_threads(printing, printed)
    return min(ref_parse), min(ref_print), min(ref_print) - min(ref_bytes)


def same_with_threads(command, output):
    results = set()
    for threads in ("1", "2"):
        run([*command, "--threads", threads])
        results.add(read(output))
    if len(results) != 1:
        sys.exit(f"{command}: other bytes with 2 threads than with 1")


def stages(build, source, rounds):
    """Returns the best time in seconds of each stage, measured in one process."""
    tool = os.path.join(build, "bench", "onnxc_stages")
    if not os.path.exists(tool):
        return None
    done = subprocess.run([tool, source, f"--benchmark_repetitions={rounds}", "--benchmark_min_time=0.01",
                           "--benchmark_format=json", "--benchmark_filter=/(text->model|bytes->model.*|model->text)$"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    best = {}
    for entry in json.loads(done.stdout)["benchmarks"]:
        if entry["run_type"] == "iteration":
            stage = entry["name"].split("/", 1)[1]
            best[stage] = min(best.get(stage, 1e9), entry["real_time"] / 1e3)
    return best


def report_library(name, best, ref_parse, ref_print, ref_alone):
    ours, floor, printer = best["text->model"], best["bytes->model(protobuf)"], best["model->text"]
    print(f"{name:8} library  text -> ModelProto: ratio {ref_parse / ours:5.2f}, {ours / floor:5.2f} times protobuf's own parse"
          f"   ModelProto -> text: ratio {ref_print / printer:5.2f}, of the printer alone {max(0, ref_alone) / printer:5.2f}", flush=True)


def growth(onnxc, names, rounds, scratch):
    for name in names:
        for what in ("compile", "print"):
            line, first = [], None
            for scale in (0.5, 1, 2, 4, 8):
                folder = os.path.join(scratch, "scaled")
                subprocess.run([sys.executable, os.path.join(here, "workloads.py"), folder, name, "--scale", str(scale)], check=True)
                source = os.path.join(folder, name + ".onnxtxt")
                binary, printed = os.path.join(scratch, "m.onnx"), os.path.join(scratch, "m.onnxtxt")
                size = os.path.getsize(source)
                run([onnxc, "compile", "--no-check", source, "-o", binary])
                command = [onnxc, "print", binary, "-o", printed] if what == "print" else [
                    onnxc, "compile", "--no-check", source, "-o", binary]
                a_byte = min(run(command, command[-1]) for _ in range(rounds)) / size
                first = first or a_byte
                line.append(f"{scale:g}: {a_byte / first:.2f}")
            print(f"{name:8} {what:7}  " + "  ".join(line), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--growth", action="store_true")
    args = parser.parse_args()
    onnxc = os.path.join(os.path.abspath(args.build), "onnxc")
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as scratch:
        if args.growth:
            return growth(onnxc, args.names or NAMES[:-1], args.rounds, scratch)
        for name in args.names or NAMES:
            source = os.path.join(args.folder, name + ".onnxtxt")
            best = compare(onnxc, source, name, args.rounds, scratch)
            if library := stages(args.build, source, args.rounds):
                report_library(name, library, *best)


if __name__ == "__main__":
    main()
