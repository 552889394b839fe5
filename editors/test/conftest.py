"""Fixtures of the tests: the program, the folder of the editors, the compiled tree-sitter grammar."""
import os
import shutil
import sys
from pathlib import Path

import pytest

import tree_sitter_grammar
from texts import ROOT

EDITORS = ROOT / "editors"


def server_path():
    """Returns the path of the program, which ONNXC can set."""
    return Path(os.environ.get("ONNXC", ROOT / "build/release/onnxc")).resolve()


@pytest.fixture(scope="session")
def onnxc():
    path = server_path()
    assert path.is_file(), f"{path} is not built"
    return path


@pytest.fixture
def environment(onnxc, tmp_path):
    """Returns the environment for editors: an empty home folder, and a PATH with the program and the programs of the Python
    environment."""
    (tmp_path / "home").mkdir()
    path = os.pathsep.join([str(onnxc.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": ""}


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    """Returns the compiled tree-sitter grammar."""
    return tree_sitter_grammar.build(tmp_path_factory.mktemp("language"))


@pytest.fixture(scope="session")
def language(library):
    return tree_sitter_grammar.load(library)


def program(name):
    """Returns a program that the tests need. If it is missing, the tests are skipped, but fail in CI."""
    path = shutil.which(name, path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if path is None and not os.environ.get("CI"):
        pytest.skip(f"there is no {name}")
    assert path is not None, f"there is no {name}"
    return path
