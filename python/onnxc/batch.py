"""Many models: functions that plug into an engine that runs them side by side.

Each function takes a path and returns a row, a dict of plain values. A bad file costs one row, never the run: the row's
``error`` says what is wrong. ``run`` maps a function over files with a process pool of the standard library and writes Parquet
parts; what is written already is not done again. With Ray Data:

    rows = ray.data.from_items([{"path": path} for path in paths]).map(on_rows(check_file))
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from onnxc import _api
from onnxc.findings import OnnxcError

__all__ = ["check_file", "convert_file", "infer_file", "on_rows", "print_file", "run"]

Row = dict[str, Any]


def _empty_row(path: str, error: str = "") -> Row:
    """``suppressed`` counts the findings beyond the limit, which neither ``errors`` nor ``warnings`` counts."""
    return {"path": os.fspath(path), "ok": False, "errors": 0, "warnings": 0, "suppressed": 0, "error": error, "result": ""}


def _row(work: Callable[..., Row]) -> Callable[..., Row]:
    """Turns what is wrong with one file into its row."""

    @functools.wraps(work)
    def guarded(path: str, **options: Any) -> Row:
        row = _empty_row(path)
        try:
            row.update(work(path, **options))
        except OnnxcError as error:
            found = error.findings
            row.update(errors=len(found.errors), suppressed=found.suppressed, error=str(found[0]) if found else "")
        except (OSError, ValueError, TypeError, MemoryError) as error:
            row["error"] = f"{error.__class__.__name__}: {error}"
        return row

    return guarded


@_row
def check_file(path: str, **options: Any) -> Row:
    """The findings about a model; ``result`` has them as JSON, a list of kind, severity, message and place."""
    found = _api.check(Path(path), **options)
    items = [{"kind": f.kind, "severity": f.severity, "message": f.message, "place": _place(f)} for f in found]
    return {
        "ok": found.ok,
        "errors": len(found.errors),
        "warnings": len(found.warnings),
        "suppressed": found.suppressed,
        "error": str(found.errors[0]) if found.errors else "",
        "result": json.dumps(items),
    }


@_row
def infer_file(path: str, **options: Any) -> Row:
    """Infers types and shapes; ``result`` has those of the outputs as JSON."""
    model = _api.infer(Path(path), **options)
    outputs = {value["name"]: value["type"] for value in _api.info(model)["outputs"]}
    return {"ok": True, "result": json.dumps(outputs)}


@_row
def print_file(path: str, **options: Any) -> Row:
    """The model as text, in ``result``."""
    return {"ok": True, "result": _api.to_text(Path(path), **options)}


@_row
def convert_file(path: str, *, folder: str, suffix: str = ".onnxtxt") -> Row:
    """Writes the model to ``folder`` in the format of ``suffix``; ``result`` is the path of the new file."""
    stem = os.path.splitext(os.path.basename(path))[0]
    target = os.path.join(folder, f"{stem}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:8]}{suffix}")
    os.makedirs(folder, exist_ok=True)
    _api.save(Path(path), target)
    return {"ok": True, "result": target}


def on_rows(work: Callable[..., Row], **options: Any) -> Callable[[Row], Row]:
    """The same function on rows that have a ``path``: for ``Dataset.map`` of Ray and its like."""
    return functools.partial(_on_row, work, options)


def run(
    work: Callable[..., Row], paths: Iterable[str], folder: str, *, processes: int | None = None, part: int = 1000, **options: Any
) -> int:
    """Maps ``work`` over files with processes, and writes the rows to ``folder/part-NNNNN.parquet``.

    Call it again with the same paths and folder after an interruption: parts that are there are not made again.

    Args:
        work: a function of this module, or any that takes a path and returns a dict.
        part: rows in one file.
    Returns:
        how many rows this call wrote.
    """
    import pyarrow
    import pyarrow.parquet

    os.makedirs(folder, exist_ok=True)
    written = 0
    for number, chunk in enumerate(_chunks(paths, part)):
        target = os.path.join(folder, f"part-{number:05}.parquet")
        if os.path.exists(target):
            continue
        rows = _map(functools.partial(work, **options), chunk, processes)
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), target + ".tmp")
        os.replace(target + ".tmp", target)
        written += len(rows)
    return written


def _map(work: Callable[[str], Row], paths: list[str], processes: int | None) -> list[Row]:
    try:
        with ProcessPoolExecutor(processes) as pool:
            return list(pool.map(work, paths, chunksize=max(1, len(paths) // 64)))
    except BrokenProcessPool:
        return [_alone(work, path) for path in paths]


def _alone(work: Callable[[str], Row], path: str) -> Row:
    """In a process of its own, which may be killed, for instance where memory ends."""
    try:
        with ProcessPoolExecutor(1) as pool:
            return pool.submit(work, path).result()
    except BrokenProcessPool:
        return _empty_row(path, "the process was killed")


def _chunks(paths: Iterable[str], size: int) -> Iterator[list[str]]:
    iterator = iter(paths)
    while chunk := list(itertools.islice(iterator, size)):
        yield chunk


def _place(finding: Any) -> str:
    begin = finding.range and finding.range.begin
    return finding.path or (f"{begin.line}:{begin.column}" if begin else "")


def _on_row(work: Callable[..., Row], options: dict[str, Any], row: Row) -> Row:
    return work(row["path"], **options)
