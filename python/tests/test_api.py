"""The functions of the package, with and without the onnx package."""

import ast
import gc
import importlib.metadata
import io
import json
import pathlib
import pickle
import subprocess
import sys
import threading

import onnxc
import pytest


def data_of(message):
    return message if isinstance(message, bytes) else message.SerializeToString()


def test_text_and_back_is_the_same(model_text):
    model = onnxc.parse_model(model_text)
    assert data_of(onnxc.parse_model(onnxc.to_text(model))) == data_of(model)


@pytest.mark.parametrize(
    "parse, text, kind",
    [
        (onnxc.parse_graph, "g (float[N] x) => (float[N] y) { y = Relu(x) }", "GraphProto"),
        (onnxc.parse_function, '<domain: "d", opset_import: ["" : 21]> f (x) => (y) { y = Relu(x) }', "FunctionProto"),
        (onnxc.parse_node, "y = Relu(x)", "NodeProto"),
        (onnxc.parse_attribute, "alpha = 1.5", "AttributeProto"),
        (onnxc.parse_type, "float[N, 3]", "TypeProto"),
        (onnxc.parse_tensor, "float[2] t = {1, 2}", "TensorProto"),
        (onnxc.parse_shape, "N, 3", "TensorShapeProto"),
    ],
)
def test_every_kind_returns(parse, text, kind):
    message = parse(text)
    again = parse(onnxc.to_text(message, type=kind))
    assert data_of(again) == data_of(message)


def test_modules_need_no_import_of_their_own():
    code = "import sys, onnxc; assert 'onnx' not in sys.modules; print(onnxc.checker.check_model, *dir(onnxc))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert {"checker", "parser", "printer", "shape_inference", "batch"} <= set(done.stdout.split())
    with pytest.raises(AttributeError, match="has no attribute 'chekcer'"):
        onnxc.chekcer  # noqa: B018


@pytest.mark.parametrize("use", [onnxc.to_text, onnxc.check, onnxc.infer, onnxc.info], ids=lambda use: use.__name__)
def test_models_in_an_old_schema_are_not_misread(use):
    fork_of_2018 = b"\x08\x83\x02" + onnxc.parse_bytes("<ir_version: 3> g () => () {}", "ModelProto")[2:]
    try:
        findings = use(fork_of_2018)
    except onnxc.OnnxcError as error:
        findings = error.findings
    assert [finding.kind for finding in findings] == ["old-schema"]


def test_models_of_onnx_ir(onnx, model_text):
    onnx_ir = pytest.importorskip("onnx_ir")
    model = onnx_ir.from_proto(onnxc.parse_model(model_text))
    assert onnxc.parse_model(onnxc.to_text(model)) == onnx_ir.to_proto(model)
    assert onnxc.check(model).ok
    assert "h" in [value.name for value in onnxc.infer(model).graph.value_info]
    assert "MatMul" in onnxc.to_text(model.graph[0])


def test_mistakes_are_findings(model_text):
    with pytest.raises(onnxc.OnnxcError) as caught:
        onnxc.parse_model(model_text.replace("float[4, 2]", "flaot[4, 2]"), name="net.onnxtxt")
    (finding,) = caught.value.findings
    assert (finding.kind, finding.severity, finding.file) == ("unknown-type", "error", "net.onnxtxt")
    assert (finding.range.begin.line, finding.range.begin.column) == (3, 2)
    assert finding.fix_its[0].replacement == "float"
    assert "^~~~~" in str(caught.value)
    assert "\x1b[" not in str(caught.value) and "\x1b[" in caught.value.findings.render(color=True)
    assert "<span" in caught.value._repr_html_()
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_check_takes_what_people_have(model_text, tmp_path):
    wrong = model_text.replace("Relu (h)", "Relu (h, h)")
    path = tmp_path / "net.onnxtxt"
    path.write_text(wrong)
    model = onnxc.parse_model(wrong)
    for given in (wrong, model, data_of(model), path, str(path), path.open("rb"), io.BytesIO(wrong.encode())):
        found = onnxc.check(given)
        assert [finding.kind for finding in found] == ["input-count"], given
        assert not found.ok and len(found.errors) == 1
    assert onnxc.check(path)[0].range.begin.line == 6
    assert onnxc.check(data_of(model))[0].path.startswith("graph.node[1]")
    with pytest.raises(TypeError):
        onnxc.check(5)
    with pytest.raises(OSError):
        onnxc.check(tmp_path / "missing.onnx")


def test_corrections_that_do_not_hold_are_withdrawn(tmp_path):
    """Like in the command, a note mentions the error that the correction would leave."""
    text = """<ir_version: 10, opset_import: ["" : 21]>
g (float[2] x) => (float[2] y) <half[2] b = {0.1, 0.2}> {
   y = Add (x, b)
}
"""
    (finding,) = onnxc.check(text)
    assert finding.kind == "unknown-type" and finding.fix_its == ()
    assert "with 'float16' here there is another error: 'A' and 'B' of Add must have the same type" in finding.notes[0].message
    (kept,) = onnxc.check(text.replace("x, float", "x, flaot").replace("half", "flaot"))
    assert kept.fix_its[0].replacement == "float"
    (tmp_path / "m.onnxtxt").write_text(text)
    command = [sys.executable, "-m", "onnxc", "check", "m.onnxtxt"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stderr
    assert str(onnxc.check(text, name="m.onnxtxt")) == told.strip()


def test_corrections_are_tried_where_more_is_wrong_than_is_told():
    inputs = ",\n".join(f"flaot[2] x{i}" for i in range(120))
    text = f"""<ir_version: 10, opset_import: ["" : 21]>
g (half[2] h,
{inputs}) => (float[2] y) {{
   y = Add (h, x0)
}}
"""
    found = onnxc.check(text)
    assert (len(found), found.suppressed) == (100, 21)
    assert found[1].fix_its == () and found[50].fix_its[0].replacement == "float"


def test_format_keeps_comments():
    assert onnxc.format_text("g (x) => (y) { # here\ny=Relu(x) }") == "g (x) => (y) {  # here\n   y = Relu (x)\n}\n"


def test_diff(model_text):
    assert not onnxc.diff(model_text, onnxc.parse_model(model_text))
    found = onnxc.diff(model_text, model_text.replace("Relu", "Tanh"))
    assert len(found) == 1 and "Tanh" in str(found) and found[0].path.startswith("graph.node[1]")
    assert not onnxc.diff(model_text, model_text.replace("net (", "web ("), ignore=["names"])
    with pytest.raises(ValueError):
        onnxc.diff(model_text, model_text, ignore=["nothing"])


@pytest.mark.parametrize("suffix", [".onnx", ".onnxtxt", ".textproto", ".json"])
def test_load_and_save(model_text, tmp_path, suffix):
    model = onnxc.parse_model(model_text)
    onnxc.save(model, tmp_path / f"net{suffix}")
    assert data_of(onnxc.load(tmp_path / f"net{suffix}")) == data_of(model)
    assert [path.name for path in tmp_path.iterdir()] == [f"net{suffix}"]


def test_load_says_what_is_wrong_with_a_damaged_file(model_text, tmp_path):
    path = tmp_path / "net.onnx"
    path.write_bytes(onnxc.parse_bytes(model_text)[:-3])
    with pytest.raises(onnxc.OnnxcError) as error:
        onnxc.load(path)
    assert error.value.findings[0].file == str(path)


def test_load_keeps_what_the_schema_does_not_know(model_text, tmp_path):
    data = onnxc.parse_bytes(model_text) + b"\xfa\x3f\x02hi"  # field 1023
    (tmp_path / "net.onnx").write_bytes(data)
    assert data_of(onnxc.load(tmp_path / "net.onnx")) == data


def test_infer(model_text):
    inferred = onnxc.infer(model_text)
    assert "float[N, 2] h" in onnxc.to_text(inferred)
    with pytest.raises(onnxc.OnnxcError):
        onnxc.infer(model_text.replace("float[4, 2]", "float[2, 4]"), strict=True)


def test_check_looks_at_optional_rules_where_it_should():
    text = '<ir_version: 8, opset_import: ["": 17], domain: "plain"> g (float[2] x) => (float[2] y) { y = Relu (x) }'
    assert not list(onnxc.check(text))
    assert [finding.kind for finding in onnxc.check(text, optional_rules=True)] == ["domain-name"]


def test_info_and_picture(model_text):
    assert onnxc.info(model_text)["nodes"] == 2
    assert onnxc.to_dot(model_text).startswith("digraph")
    assert "<span" in onnxc.show(model_text, picture=False)._repr_html_()


def test_the_command(model_text, tmp_path):
    (tmp_path / "net.onnxtxt").write_text(model_text)
    run = [sys.executable, "-m", "onnxc"]
    subprocess.run([*run, "compile", "net.onnxtxt"], cwd=tmp_path, check=True)
    printed = subprocess.run([*run, "print", "net.onnx"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert data_of(onnxc.parse_model(printed.stdout)) == (tmp_path / "net.onnx").read_bytes()
    assert subprocess.run([*run, "frobnicate"], capture_output=True).returncode == 2
    assert onnxc.__version__ in subprocess.run([*run, "--version"], capture_output=True, text=True).stdout


def test_batch(model_text, tmp_path):
    pytest.importorskip("pyarrow")
    from onnxc import batch

    for number in range(5):
        (tmp_path / f"{number}.onnxtxt").write_text(model_text if number != 3 else "nonsense")
    paths = sorted(map(str, tmp_path.glob("*.onnxtxt")))
    written = batch.run(batch.check_file, paths, str(tmp_path / "rows"), processes=2, part=2)
    assert written == 5
    (tmp_path / "rows" / "part-00001.parquet").unlink()
    assert batch.run(batch.check_file, paths, str(tmp_path / "rows"), processes=2, part=2) == 2
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(tmp_path / "rows").to_pylist()
    assert [row["ok"] for row in table] == [True, True, True, False, True]
    assert json.loads(table[0]["result"]) == []
    converted = batch.convert_file(paths[0], folder=str(tmp_path / "out"), suffix=".onnx")
    assert pathlib.Path(converted["result"]).read_bytes() == data_of(onnxc.parse_model(model_text))


def test_batch_counts_what_is_beyond_the_limit(tmp_path):
    from onnxc import batch

    nodes = " ".join(f"y{i} = Relu (x, x)" for i in range(150))
    path = tmp_path / "m.onnxtxt"
    path.write_text(f'<ir_version: 10, opset_import: ["" : 21]> g (float[2] x) => (float[2] y0) {{ {nodes} }}')
    row = batch.check_file(str(path))
    assert (row["errors"] + row["warnings"], row["suppressed"]) == (100, len(onnxc.check(path, limit=1000)) - 100)
    assert batch.check_file(str(path), limit=1000)["suppressed"] == 0
    assert batch.print_file(str(tmp_path / "missing.onnx"))["suppressed"] == 0


def test_batch_in_ray(model_text, tmp_path):
    pytest.importorskip("ray.data", reason="Ray Data is not installed")
    import ray
    from onnxc import batch

    paths = []
    for number in range(20):
        paths.append(str(tmp_path / f"{number:02}.onnxtxt"))
        (tmp_path / f"{number:02}.onnxtxt").write_text(model_text if number != 3 else "nonsense")
    ray.init(num_cpus=1, include_dashboard=False, ignore_reinit_error=True)
    try:
        rows = ray.data.from_items([{"path": path} for path in paths]).map(batch.on_rows(batch.check_file)).take_all()
    finally:
        ray.shutdown()
    rows.sort(key=lambda row: row["path"])
    assert [row["path"] for row in rows] == paths
    assert [row["ok"] for row in rows] == [number != 3 for number in range(20)]
    assert "expected" in rows[3]["error"]


def test_pytest_plugin(pytester, model_text):
    pytester.makepyfile(f"""
        MODEL = {model_text!r}
        def test_same(assert_same_model):
            assert_same_model(MODEL, MODEL)
        def test_differs(assert_same_model):
            assert_same_model(MODEL.replace("Relu", "Tanh"), MODEL)
        def test_golden(golden_model):
            golden_model(MODEL, "net")
    """)
    is_installed = any(entry.name == "onnxc" for entry in importlib.metadata.entry_points(group="pytest11"))
    plugin = () if is_installed else ("-p", "onnxc.pytest_plugin")
    result = pytester.runpytest(*plugin, "--update-golden-models")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*Relu*Tanh*"])
    pytester.runpytest(*plugin, "-k", "golden").assert_outcomes(passed=1)
    (pytester.path / "golden" / "net.onnxtxt").unlink()
    pytester.runpytest(*plugin, "-k", "golden").assert_outcomes(failed=1)


def test_threads_do_not_wait_for_each_other(model_text):
    results = []
    threads = [threading.Thread(target=lambda: results.append(onnxc.parse_bytes(model_text))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(results)) == 1 and len(results) == 4


def test_threads_share_the_cores():
    """While one thread compiles a large text, another thread runs, because the lock is released."""
    numbers = ", ".join(map(str, range(300_000)))
    text = f"<ir_version: 10, opset_import: [\"\" : 21]> g (float[N] x) => (float[N] y) <int64[300000] w = {{{numbers}}}> {{ y = Relu(x) }}"
    ticks, is_over = [], threading.Event()

    def compile_often():
        for _ in range(10):
            onnxc.parse_bytes(text)
        is_over.set()

    thread = threading.Thread(target=compile_often)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # a thread gives up the lock only where it says so
    try:
        thread.start()
        while not is_over.is_set():
            is_over.wait(0.0001)
            ticks.append(1)
    finally:
        sys.setswitchinterval(interval)
        thread.join()
    assert len(ticks) > 5


def test_wrong_arguments_leave_nothing_behind(model_text):
    """Reference counts are correct after a failed call: no reference is lost or released twice."""
    core = onnxc._api._core
    data, kind = b"g (x) => (y) { y = Relu(x) }", "GraphProto"
    wrong = [
        lambda: core.compile(),
        lambda: core.compile((kind, data, "name")),
        lambda: core.compile((kind, data, "name", False, None)),
        lambda: core.compile((kind, 5, "name", False)),
        lambda: core.compile((kind, "\ud800", "name", False)),
        lambda: core.compile(("FooProto", data, "name", False)),
        lambda: core.check((kind, data, "name", False), "", False, True, True, False, 0, {1: 2}, 10),
        lambda: core.check((kind, data, "name", False), "", False, True, True, False, 0, {"": "x"}, 10),
        lambda: core.check((kind, data, "name", False), "", False, True, True, False, 0, {"": 1 << 80}, 10),
        lambda: core.diff((kind, data, "a", False), ("ModelProto", data, "b", False), "", 0.0),
        lambda: core.main(None),
        lambda: core.main("onnxc", "\0"[:0], 5),
    ]
    counts = []
    for _ in range(3):
        for _ in range(300):
            for call in wrong:
                with pytest.raises((TypeError, ValueError, OverflowError)):
                    call()
        gc.collect()
        counts.append([sys.getrefcount(thing) for thing in (data, kind, None, True, False)][:2])
    assert counts[1] == counts[2]


def test_the_stub_is_as_the_module():
    """_core.pyi contains the functions of the module, with the number and names of parameters of their documentation."""
    core = onnxc._api._core
    stub = ast.parse(pathlib.Path(onnxc.__file__).with_name("_core.pyi").read_text())
    functions = {item.name: item.args for item in stub.body if isinstance(item, ast.FunctionDef)}
    assert set(functions) == {name for name in dir(core) if callable(getattr(core, name)) and not name.startswith("_")}
    for name, arguments in functions.items():
        if arguments.vararg is not None:
            continue
        names = [argument.arg for argument in arguments.posonlyargs + arguments.args]
        assert getattr(core, name).__doc__.startswith(f"{name}({', '.join(names)}):")
        for count in {len(names) + 1, len(names) - 1} - {-1}:
            with pytest.raises(TypeError, match=rf"takes (exactly {len(names)}|exactly one|no) arguments? \({count} given\)"):
                getattr(core, name)(*[None] * count)


def test_nothing_leaks(model_text):
    resource = pytest.importorskip("resource")

    def work(count):
        for _ in range(count):
            onnxc.parse_bytes(model_text)
            onnxc.check(model_text)
            with pytest.raises(onnxc.OnnxcError):
                onnxc.parse_bytes("g (x) => (y) {")
            with pytest.raises(TypeError):
                onnxc._api._core.compile(1, 2, 3)
            with pytest.raises(ValueError):
                onnxc._api._core.compile(("FooProto", b"", "", False))
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = work(2000)
    assert work(8000) - before < 4096  # kilobytes


def test_functions_of_models_refuse_parts():
    node = onnxc.parse_node("y = Relu (x)")
    if isinstance(node, bytes):
        pytest.skip("without the onnx package, bytes do not tell their type")
    for function in (onnxc.infer, onnxc.info, onnxc.to_dot):
        with pytest.raises(TypeError, match="NodeProto"):
            function(node)


def test_load_takes_any_path(tmp_path, monkeypatch, model_text):
    folder = tmp_path / "run=1"
    folder.mkdir()
    (folder / "m.onnxtxt").write_text(model_text)
    monkeypatch.chdir(tmp_path)
    assert onnxc.load("run=1/m.onnxtxt") == onnxc.parse_model(model_text)
