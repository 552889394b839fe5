"""The extension of VS Code, without VS Code: it compiles, packs, and colours texts as the snapshots show.

ONNXC_BLESS=1 writes the snapshots anew.
"""
import json
import os
import re
import shutil
import subprocess
import zipfile

import pytest
import tree_sitter

from conftest import EDITORS, program
from texts import ROOT

FOLDER = EDITORS / "vscode"
SNAPSHOTS = FOLDER / "test/snapshots"
COLOURED = ["examples/branch", "examples/function", "examples/mlp", "docs/activations", "docs/untidy", "golden/functions.model",
            "golden/header.model", "golden/names.graph", "golden/quoted_everywhere.graph", "golden/subgraphs.graph",
            "golden/every_type.graph", "format/records.model", "format/sparse.attr"]  # fmt: skip


def npm(*words):
    folder = os.path.dirname(program("npm"))
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["npm", "--loglevel=error", *words], cwd=FOLDER, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def modules():
    """Installs node_modules as in package-lock.json, unless npm has already done so."""
    if not (FOLDER / "node_modules/.package-lock.json").is_file():
        npm("ci", "--ignore-scripts", "--no-audit", "--no-fund")


def test_compiles_and_packs(modules, tmp_path):
    npm("run", "build")
    package = tmp_path / "onnxtxt.vsix"
    npm("run", "package", "--", "-o", str(package))
    with zipfile.ZipFile(package) as archive:
        names = set(archive.namelist())
    manifest = json.loads((FOLDER / "package.json").read_text())["contributes"]
    wanted = [manifest["languages"][0]["configuration"], manifest["snippets"][0]["path"], manifest["languages"][0]["icon"]["light"],
              *(grammar["path"] for grammar in manifest["grammars"]), "./dist/extension.js", "./dist/browser.js", "./dist/layout.js",
              "./media/picture.js", "./media/picture.css", "./python/evaluate.py",
              *(step["media"]["markdown"] for walkthrough in manifest["walkthroughs"] for step in walkthrough["steps"])]  # fmt: skip
    assert {f"extension/{path.removeprefix('./')}" for path in wanted} <= names
    assert not any("node_modules" in name or name.endswith(".ts") for name in names)


def test_pictures_are_laid_out_one_after_the_other(modules, onnxc, tmp_path):
    npm("run", "build")
    for name in ["renderer", "desktop/thread"]:
        npm("exec", "--", "esbuild", f"src/{name}.ts", "--platform=node", "--format=esm", f"--outfile={tmp_path}/{name.split('/')[-1]}.mjs")
    chain = " ".join(f"v{i + 1} = Neg (v{i})" for i in range(200))
    texts = [(ROOT / "testdata/examples/branch.onnxtxt").read_text(), f"g (float v0) => (float v200) {{ {chain} }}"]
    drawn = [subprocess.run([onnxc, "graph", "-q", "-"], input=text, capture_output=True, text=True, check=True).stdout for text in texts]
    ends = tmp_path / "ends.cjs"
    ends.write_text("""
self.onmessage = ({ data }) => {
  if (data === "exit") process.exit(1);
  self.postMessage({ svg: data });
  setImmediate(() => {
    if (data === "throw later") throw new Error("thrown");
    if (data === "exit later") process.exit(1);
  });
};
""")
    words = [program("node"), EDITORS / "test/layout.mjs", tmp_path, FOLDER / "dist/layout.js", ends]
    done = subprocess.run(words, input=json.dumps([*drawn, "no graph"]), capture_output=True, text=True, check=True)
    branch, large, wrong, after, stopped, *ended = json.loads(done.stdout)
    assert branch.count('class="node') == drawn[0].count(" [label=<<B>") + 4  # an input, and the outputs of three graphs
    assert branch.count('class="node input"') == 1 and branch.count('class="node output"') == 3
    assert large.count('class="node') == 202
    assert "Error" in wrong and 'class="node"' in after and stopped == "stopped, slow: false"
    assert ended == ["throw later", "a", "exit later", "b", "Error: The layout has ended.", "c"]


def test_the_extension_in_a_browser(modules):
    done = subprocess.run([program("node"), "--test", FOLDER / "test/browser.test.mjs"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_of_pictures_has_no_scripts_or_styles_of_its_own():
    page = (FOLDER / "src/picture.ts").read_text().partition("<!DOCTYPE html>")[2]
    assert "default-src 'none'" in page and "unsafe" not in page
    assert not re.search(r"<style|<script(?! src)| style=| on[a-z]+=", page)
    ids = set(re.findall(r'id="(\w+)"', page))
    script = (FOLDER / "media/picture.js").read_text()
    assert set(re.findall(r'element\("(\w+)"\)', script)) <= ids


def test_the_extension_for_a_platform_holds_its_server(modules, tmp_path):
    server = tmp_path / "onnxc-0.1.0-linux-x86_64"
    server.write_text("#!/bin/sh\n")
    path = os.pathsep.join([os.path.dirname(program("npm")), os.environ["PATH"]])
    subprocess.run([ROOT / "scripts/vsix", server], env={**os.environ, "PATH": path}, check=True, capture_output=True)
    (package,) = tmp_path.glob("onnxtxt-*-linux-x64.vsix")
    with zipfile.ZipFile(package) as archive:
        assert archive.read("extension/server/onnxc") == server.read_bytes()
        assert archive.getinfo("extension/server/onnxc").external_attr >> 16 & 0o111 == 0o111
        assert 'TargetPlatform="linux-x64"' in archive.read("extension.vsixmanifest").decode()
    assert not (FOLDER / "server").exists()


def test_each_command_and_setting_is_used():
    sources = "".join(path.read_text() for path in (FOLDER / "src").rglob("*.ts"))
    contributes = json.loads((FOLDER / "package.json").read_text())["contributes"]
    for command in contributes["commands"]:
        assert f'"{command["command"]}"' in sources, command
    for setting in contributes["configuration"]["properties"]:
        _, section, *key = setting.split(".")  # those of a section go to the server together; `trace` is the client library's
        assert section == "trace" or f'"{section}"' in sources or f'"onnxc.{section}"' in sources, setting


def test_colours_of_each_kind_of_token(modules):
    npm("exec", "--", "vscode-tmgrammar-test", "test/*.test.onnxtxt")


def test_colours_of_texts(modules, tmp_path):
    for name in COLOURED:
        shutil.copy(ROOT / f"testdata/{name}.onnxtxt", tmp_path)
        snapshot = SNAPSHOTS / f"{name.split('/')[1]}.onnxtxt.snap"
        if snapshot.is_file() and not os.environ.get("ONNXC_BLESS"):
            shutil.copy(snapshot, tmp_path)
    npm("exec", "--", "vscode-tmgrammar-snap", "-s", "source.onnxtxt", f"{tmp_path}/*.onnxtxt")
    made = {path.name for path in tmp_path.glob("*.snap")}
    if os.environ.get("ONNXC_BLESS"):
        shutil.rmtree(SNAPSHOTS, ignore_errors=True)
        SNAPSHOTS.mkdir()
        for name in made:
            shutil.copy(tmp_path / name, SNAPSHOTS)
    assert made == {path.name for path in SNAPSHOTS.iterdir()}


@pytest.mark.parametrize("name", json.loads((FOLDER / "snippets/onnxtxt.json").read_text()))
def test_snippets_are_texts_without_errors(name, language):
    body = json.loads((FOLDER / "snippets/onnxtxt.json").read_text())[name]["body"]
    text = body if isinstance(body, str) else "\n".join(body)
    defaults = dict(re.findall(r"\$\{(\d+):([^{}]*)\}", text))
    text = re.sub(r"\$\{(\d+):[^{}]*\}|\$(\d+)", lambda match: defaults.get(match[1] or match[2], ""), text)
    if name == "Initializer":
        text = f"g () => () < {text} > {{}}"
    assert not tree_sitter.Parser(language).parse(text.encode()).root_node.has_error, text
