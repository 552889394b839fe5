"""``onnxc.save`` writes a file like the command: either the complete file or nothing, in the format of its suffix."""

import errno
import io
import json
import os
import subprocess
import sys

import onnxc
import pytest

FORMATS = {".onnx": "binary", ".onnxtxt": "text", ".textproto": "textproto", ".json": "json"}


def data_of(message):
    return message if isinstance(message, bytes) else message.SerializeToString()


@pytest.fixture
def model(model_text):
    return onnxc.parse_model(model_text)


@pytest.fixture
def old(tmp_path):
    """Returns a file that already exists."""
    path = tmp_path / "net.onnx"
    path.write_bytes(b"old")
    return path


def is_same(path, model):
    return data_of(onnxc.load(path)) == data_of(model)


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def test_writes_what_the_command_writes(model, model_text, tmp_path):
    (tmp_path / "net.onnxtxt").write_text(model_text)
    for suffix in FORMATS:
        command = [sys.executable, "-m", "onnxc", "convert", "net.onnxtxt", "-o", f"command{suffix}"]
        subprocess.run(command, cwd=tmp_path, check=True)
        onnxc.save(model, tmp_path / f"package{suffix}")
        assert (tmp_path / f"package{suffix}").read_bytes() == (tmp_path / f"command{suffix}").read_bytes()


def test_knows_all_suffixes_of_the_library(model, tmp_path):
    suffixes = json.loads(onnxc._api._core.suffixes())
    assert set(FORMATS) < set(suffixes)
    for suffix in [*suffixes, ".ONNX", ".OnnxTxt"]:
        onnxc.save(model, tmp_path / f"net{suffix}")
        assert is_same(tmp_path / f"net{suffix}", model)
    onnxc.save(model, tmp_path / ".onnx")
    assert onnxc.serialization.TextSerializer.file_extensions == {".onnxtxt", ".onnxtext"}
    for name in ("net.xyz", "net", ""):
        with pytest.raises(ValueError, match=r"no format has the suffix of .*; there are \.onnxtxt, .*\.json"):
            onnxc.save(model, name)


def test_takes_any_path_and_any_source(model, model_text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = tmp_path / "net.onnxtxt"
    text.write_text(model_text)
    with text.open("rb") as binary, text.open() as characters:
        for source in (model, data_of(model), model_text, text, "net.onnxtxt", binary, characters, io.BytesIO(data_of(model))):
            for target in ("a.onnx", b"a.onnx", tmp_path / "a.onnx"):
                onnxc.save(source, target)
                assert is_same("a.onnx", model)
                os.unlink("a.onnx")
                if hasattr(source, "seek"):
                    source.seek(0)
    with pytest.raises(TypeError):
        onnxc.save(model, 5)
    with pytest.raises(ValueError, match="null"):
        onnxc.save(model, "a\0.onnx")


def test_a_name_that_is_no_utf8(model, tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"\xff.onnx")
    onnxc.save(model, os.fsdecode(path))
    assert os.path.exists(path)


def test_what_cannot_be_read_writes_nothing(old):
    with pytest.raises(onnxc.OnnxcError):
        onnxc.save("g (x => (y) {}", old)
    assert old.read_bytes() == b"old" and names_in(old.parent) == ["net.onnx"]


def test_a_symbolic_link_stays_one(model, old, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link.onnx").symlink_to(old)
    (folder / "new.onnx").symlink_to(tmp_path / "later.onnx")
    for name in ("link.onnx", "new.onnx"):
        onnxc.save(model, folder / name)
        assert (folder / name).is_symlink()
    assert is_same(old, model) and is_same(tmp_path / "later.onnx", model)
    assert not old.is_symlink() and names_in(folder) == ["link.onnx", "new.onnx"]


def test_another_hard_link_keeps_the_old_file(model, old, tmp_path):
    os.link(old, tmp_path / "other.onnx")
    onnxc.save(model, old)
    assert is_same(old, model) and (tmp_path / "other.onnx").read_bytes() == b"old"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444 | 0o200, 0o755])
def test_permissions_stay(model, old, mode):
    old.chmod(mode)
    onnxc.save(model, old)
    assert old.stat().st_mode & 0o7777 == mode


def test_a_new_file_has_the_permissions_of_the_umask(model, tmp_path):
    before = os.umask(0o027)
    try:
        onnxc.save(model, tmp_path / "net.onnx")
    finally:
        os.umask(before)
    assert (tmp_path / "net.onnx").stat().st_mode & 0o7777 == 0o640


def refused(model, path):
    with pytest.raises(OSError) as caught:
        onnxc.save(model, path)
    assert caught.value.filename == os.fspath(path)
    return caught.value


def test_folders_that_are_not_there_or_no_folders(model, old, tmp_path):
    assert refused(model, tmp_path / "missing" / "net.onnx").errno == errno.ENOENT
    assert isinstance(refused(model, str(tmp_path / "missing" / "net.onnx")), FileNotFoundError)
    assert isinstance(refused(model, old / "net.onnx"), NotADirectoryError)
    (tmp_path / "folder.onnx").mkdir()
    assert isinstance(refused(model, tmp_path / "folder.onnx"), IsADirectoryError)
    assert refused(model, os.fsencode(tmp_path) + b"/missing/net.onnx").errno == errno.ENOENT


def run_with(prologue, folder, *names):
    """Saves a model of 4 kB in another process, and returns the error for each name: its class, number and file."""
    code = f"""
import os, sys, onnxc
numbers = ", ".join(["1"] * 1000)
model = onnxc.parse_bytes('<ir_version: 10> g () => () <float[1000] w = {{' + numbers + '}}> {{}}')
{prologue}
for name in sys.argv[1:]:
    try:
        onnxc.save(model, name)
        print("written")
    except OSError as error:
        print(type(error).__name__, error.errno, error.filename)
"""
    done = subprocess.run([sys.executable, "-", *names], input=code, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_folder_that_cannot_be_written(old):
    prologue = "os.setgroups([]); os.setgid(65534); os.setuid(65534)" if os.geteuid() == 0 else ""
    folder = old.parent
    folder.chmod(0o555)
    try:
        answers = run_with(prologue, folder, "new.onnx", "net.onnx")
    finally:
        folder.chmod(0o755)
    assert answers == [f"PermissionError {errno.EACCES} {name}" for name in ("new.onnx", "net.onnx")]
    assert old.read_bytes() == b"old" and names_in(folder) == ["net.onnx"]


def test_a_full_device(model, old, tmp_path):
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    (tmp_path / "full.onnx").symlink_to("/dev/full")
    assert refused(model, tmp_path / "full.onnx").errno == errno.ENOSPC
    assert names_in(tmp_path) == ["full.onnx", "net.onnx"]


def test_no_room_leaves_the_old_file(old):
    """A limit on the size of files simulates a full disk."""
    prologue = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"
    assert run_with(prologue, old.parent, "net.onnx") == [f"OSError {errno.EFBIG} net.onnx"]
    assert old.read_bytes() == b"old" and names_in(old.parent) == ["net.onnx"]


def test_weights_of_the_model_are_not_replaced(onnx, tmp_path, monkeypatch):
    """The model refers to the data in this very file."""
    model = onnxc.parse_model("<ir_version: 10> g () => () <float[1000] w> {}")
    model.graph.initializer.add(name="w", data_type=1, dims=[1000], data_location=1).external_data.add(key="location", value="w.onnx")
    weights = tmp_path / "w.onnx"
    weights.write_bytes(b"\0" * 4000)
    onnxc.save(model, tmp_path / "m.onnx")
    (tmp_path / "link.onnx").symlink_to(weights)
    monkeypatch.chdir(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    (other / "link.onnx").symlink_to(weights)
    for source in (model, tmp_path / "m.onnx", "m.onnx", data_of(model)):
        for target in (weights, "w.onnx", "link.onnx", other / "link.onnx"):
            with pytest.raises(onnxc.OnnxcError, match="the weights of the model are in"):
                onnxc.save(source, target)
    assert weights.read_bytes() == b"\0" * 4000
    onnxc.save(model, tmp_path / "m.onnx")


def test_another_thread_may_read_the_pipe_that_is_written(tmp_path):
    program = """if True:
        import os, sys, threading, onnxc
        text = sys.argv[2] + "".join(f"  a{i} = Relu (x)\\n" for i in range(20000)) + "  y = Relu (x)\\n}\\n"
        model = onnxc.parse_model(text)
        os.mkfifo(sys.argv[1])
        read = []
        reader = threading.Thread(target=lambda: read.append(open(sys.argv[1], "rb").read()))
        reader.start()
        onnxc.save(model, sys.argv[1])
        reader.join()
        assert len(read[0]) > 100000, len(read[0])
    """
    header = '<ir_version: 8, opset_import: ["": 17]>\ng (float[N] x) => (float[N] y) {\n'
    subprocess.run([sys.executable, "-c", program, tmp_path / "pipe.onnx", header], check=True, timeout=60)
