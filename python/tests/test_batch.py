"""``onnxc.batch``: rows of many files, and the manifest of a folder."""

import functools
import json
import os

import onnxc
import pytest
from onnxc import batch


def own(path, *, factor=1):
    return {"path": path, "factor": factor}


def odd(path):
    """Returns a function that crashes on a bad file, and whose rows have different columns."""
    if path.endswith("0.onnxtxt"):
        raise RuntimeError("no such thing")
    return {"path": path, "more": 1} if path.endswith("1.onnxtxt") else 5


def interrupted(*_):
    raise KeyboardInterrupt


@pytest.fixture
def paths(tmp_path, model_text):
    names = [str(tmp_path / f"{i}.onnxtxt") for i in range(3)]
    for name in names:
        with open(name, "w") as file:
            file.write(model_text)
    return names


@pytest.fixture
def read():
    parquet = pytest.importorskip("pyarrow.parquet")
    return lambda folder: parquet.read_table(folder).to_pylist()


def test_a_folder_knows_what_it_holds(paths, tmp_path, read):
    folder = str(tmp_path / "rows")
    assert batch.run(batch.check_file, paths, folder, processes=1, part=2) == 3
    assert batch.run(batch.check_file, paths, folder, processes=1, part=2) == 0
    calls = {
        "function": lambda: batch.run(batch.infer_file, paths, folder, processes=1, part=2),
        "options": lambda: batch.run(batch.check_file, paths, folder, processes=1, part=2, strict=True),
        "part": lambda: batch.run(batch.check_file, paths, folder, processes=1, part=3),
        "paths": lambda: batch.run(batch.check_file, paths[:2], folder, processes=1, part=2),
        "sha256": lambda: batch.run(batch.check_file, paths[::-1], folder, processes=1, part=2),
    }
    for what, call in calls.items():
        with pytest.raises(ValueError, match=f"is of another run: {what}"):
            call()
    assert len(read(folder)) == 3
    os.remove(os.path.join(folder, "_manifest.json"))
    with pytest.raises(ValueError, match="holds part-00000.parquet, but no _manifest.json"):
        batch.run(batch.check_file, paths, folder, processes=1, part=2)


def test_wrong_calls_are_told_at_the_start(paths, tmp_path):
    pytest.importorskip("pyarrow")
    folder = str(tmp_path / "rows")
    with pytest.raises(TypeError, match="not the one path"):
        batch.run(batch.check_file, paths[0], folder)
    with pytest.raises(TypeError, match="strcit"):
        batch.run(batch.check_file, paths, folder, strcit=True)
    with pytest.raises(TypeError, match="fctor"):
        batch.run(own, paths, folder, fctor=2)
    with pytest.raises(ValueError, match="part"):
        batch.run(own, paths, folder, part=0)
    assert not os.path.exists(folder)
    for function, option in ((batch.check_file, "strcit"), (batch.print_file, "dialct"), (batch.infer_file, "overwirte")):
        with pytest.raises(TypeError, match=option):
            function(paths[0], **{option: 1})
    with pytest.raises(TypeError, match="folder"):
        batch.convert_file(paths[0])
    with pytest.raises(TypeError, match="strcit"):
        batch.on_rows(batch.check_file, strcit=True)


def test_any_function_may_be_mapped(paths, tmp_path, read):
    assert batch.run(own, paths, str(tmp_path / "rows"), processes=1, factor=3) == 3
    assert [row["factor"] for row in read(str(tmp_path / "rows"))] == [3, 3, 3]


def test_what_a_function_raises_is_a_row_and_no_column_is_lost(paths, tmp_path, read):
    assert batch.run(odd, paths, str(tmp_path / "rows"), processes=1) == 3
    first, second, third = read(str(tmp_path / "rows"))
    assert (first["path"], first["error"], first["more"]) == (paths[0], "RuntimeError: no such thing", None)
    assert (second["more"], second["error"]) == (1, None)
    assert "odd returns a int, not a dict" in third["error"]


def test_what_a_folder_is_of_is_the_same_in_each_process(paths, tmp_path, read):
    folder = str(tmp_path / "rows")
    work = functools.partial(own, factor=2)
    assert batch.run(work, paths, folder, processes=1) == 3
    manifest = json.loads((tmp_path / "rows" / "_manifest.json").read_text())
    assert manifest["function"] == f"{__name__}.own(factor=2)"
    with pytest.raises(ValueError, match="function"):
        batch.run(functools.partial(own, factor=3), paths, folder, processes=1)
    assert batch.run(batch.check_file, paths, str(tmp_path / "more"), processes=1) == 3
    assert batch.run(batch.check_file, paths, str(tmp_path / "more"), processes=1, strict=False) == 0, "that is the default"


def test_what_no_process_can_receive_is_told_at_the_start(paths, tmp_path):
    pytest.importorskip("pyarrow")
    folder = str(tmp_path / "rows")
    for work, options in ((lambda path: {"path": path}, {}), (own, {"factor": lambda: 2})):
        with pytest.raises(Exception, match="pickle"):
            batch.run(work, paths, folder, processes=1, **options)
    assert not os.path.exists(folder)


def test_a_folder_without_parts_is_of_no_run(paths, tmp_path):
    pytest.importorskip("pyarrow")
    folder = str(tmp_path / "rows")
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(batch, "_map", interrupted)
        batch.run(batch.check_file, paths, folder, processes=1)
    assert batch.run(own, paths, folder, processes=1) == 3
    (tmp_path / "rows" / "_manifest.json").write_text("{")
    with pytest.raises(ValueError, match="_manifest.json cannot be read"):
        batch.run(own, paths, folder, processes=1)
    for part in (1.5, "2", None):
        with pytest.raises(TypeError):
            batch.run(own, paths, str(tmp_path / "other"), part=part)
    assert not (tmp_path / "other").exists()


def test_rows_of_other_engines_are_utf8(model_text, tmp_path):
    name = os.fsencode(tmp_path) + b"/\xff.onnxtxt"
    with open(name, "w") as file:
        file.write(model_text)
    for path in (name, os.fsdecode(name)):
        row = batch.on_rows(batch.check_file)({"path": path})
        assert row["ok"] and row["path"].endswith("/\\xff.onnxtxt")


def test_a_name_that_is_no_utf8_is_a_row(model_text, tmp_path, read):
    name = os.fsencode(tmp_path) + b"/\xff.onnxtxt"
    with open(name, "w") as file:
        file.write(model_text.replace("Relu (h)", "Relu (h, h)"))
    folder = str(tmp_path / "rows")
    assert batch.run(batch.check_file, [os.fsdecode(name)], folder, processes=1) == 1
    (row,) = read(folder)
    assert row["path"].endswith("/\\xff.onnxtxt") and row["errors"] == 1
    assert batch.run(batch.check_file, [os.fsdecode(name)], folder, processes=1) == 0


def test_other_columns_stay(paths):
    row = batch.on_rows(batch.check_file)({"path": paths[0], "source": "hub"})
    assert row["source"] == "hub" and row["ok"] and json.loads(row["result"]) == []
    assert set(onnxc.batch.Row.__annotations__) < set(row)
