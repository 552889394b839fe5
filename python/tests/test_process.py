"""The module in a process: signals, interpreters, and the end of the process."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest


def run(code, **options):
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


LONG = """
import sys, time
import onnxc
nodes = "\\n".join(f"y{i + 1} = Relu (y{i})" for i in range(NODES))
text = f'<ir_version: 10, opset_import: ["" : 21]> g (float[2] y0) => (float[2] y{NODES}) {{ {nodes} }}'
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_a_long_call():
    """The call would take many times longer than the limit. The time is measured in the thread that is interrupted."""
    code = LONG.replace("NODES", "400_000") + """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it for what runs in the background
before = time.monotonic()
onnxc.check(text)
whole = time.monotonic() - before
print("ready", flush=True)
try:
    before = time.monotonic()
    for _ in range(100):
        onnxc.check(text)
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted", flush=True)
assert onnxc.check("g () => () {}")
"""
    process = run(code)
    assert process.stdout.readline() == "ready\n", process.stderr.read()
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "interrupted\n"
    _, errors = process.communicate()
    assert process.returncode == 0, errors


@pytest.mark.parametrize("call", ["check(text)", "link(text, LIBRARY)", "weights.skeleton(text)"])
def test_ctrl_c_ends_a_call_before_the_call_ends(call):
    """The handler runs while the call is still working: a timer of 10 ms fires shortly after the beginning of the call."""
    code = LONG.replace("NODES", "400_000") + """
import signal
LIBRARY = '<domain: "l", opset_import: ["" : 21]> f (a) => (b) { b = Relu (a) }'
def stop(*_):
    raise KeyboardInterrupt
signal.signal(signal.SIGALRM, stop)
before = time.process_time()
onnxc.CALL
whole = time.process_time() - before
signal.setitimer(signal.ITIMER_REAL, 0.01)
before = time.process_time()
try:
    onnxc.CALL
except KeyboardInterrupt:
    print(time.process_time() - before < whole / 2)
"""
    process = run(code.replace("CALL", call))
    output, errors = process.communicate()
    assert (process.returncode, output) == (0, "True\n"), errors


def test_what_a_call_throws_in_another_thread_is_an_exception():
    code = LONG.replace("NODES", "20_000") + """
try:
    onnxc.parse_model(text + "}")
except onnxc.OnnxcError as error:
    print(len(error.findings))
print(len(onnxc.parse_bytes(text)) > 400_000)
"""
    output, errors = run(code).communicate()
    assert output == "1\nTrue\n", errors


def test_interpreters_that_are_isolated_import_the_package():
    code = """
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        for _ in range(2):
            created = interpreters.create()
            failed = interpreters.run_string(created, "import sys; sys.modules['onnx'] = None; import onnxc; assert onnxc.check('g () => () {}')")
            assert not failed, failed
            interpreters.destroy(created)
        import onnxc
        assert onnxc.check("g () => () {}")
        print("done")
    """
    output, errors = run(code).communicate()
    assert output == "done\n", errors
