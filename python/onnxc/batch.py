"""Functions for many models, which a parallel data-processing engine can call.

Each function takes a path and returns a row, a dict of plain values. If a file has errors, only its own row is affected: its
``error`` contains the message. ``run`` calls a function for many files, with a process pool of the standard library, and writes
the rows to Parquet files. Parquet files that already exist are not computed again. File names that are not UTF-8 are written
with escapes (``\\xff``). With Ray Data:

    rows = ray.data.from_items([{"path": path} for path in paths]).map(on_rows(check_file))
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import operator
import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, TypedDict, cast

from onnxc import _api
from onnxc.findings import Finding, OnnxcError

__all__ = ["Row", "check_file", "convert_file", "infer_file", "on_rows", "print_file", "run"]


class Row(TypedDict):
    """The result for one file. ``suppressed`` counts the findings beyond the limit. ``errors`` and ``warnings`` do not count
    these."""

    path: str
    ok: bool
    errors: int
    warnings: int
    suppressed: int
    error: str
    result: str


Work = Callable[..., Mapping[str, Any]]
"""A function that takes a path and options, and returns a row."""


def _empty_row(path: Any, error: str = "") -> Row:
    return {"path": os.fsdecode(path), "ok": False, "errors": 0, "warnings": 0, "suppressed": 0, "error": error, "result": ""}


def _row(of: Callable[..., Any] | None = None) -> Callable[[Callable[..., dict[str, Any]]], Callable[..., Row]]:
    """A decorator: the function stores the errors of a file in the row of the file. The decorated function accepts the options of
    ``of``, or its own options if ``of`` is None."""

    def guard(work: Callable[..., dict[str, Any]]) -> Callable[..., Row]:
        signature = inspect.signature(of or work)

        @functools.wraps(work)
        def guarded(path: str, **options: Any) -> Row:
            signature.bind(path, **options)  # a wrong option is a mistake of the caller, not of the file
            row = _empty_row(path)
            try:
                row.update(cast(Row, work(row["path"], **options)))
            except OnnxcError as error:
                found = error.findings
                row["errors"], row["suppressed"] = len(found.errors), found.suppressed
                row["error"] = str(found[0]) if found else ""
            except (OSError, ValueError, TypeError, MemoryError) as error:
                row["error"] = f"{error.__class__.__name__}: {error}"
            return row

        guarded.__signature__ = signature  # type: ignore[attr-defined]
        return guarded

    return guard


@_row(_api.check)
def check_file(path: str, **options: Any) -> dict[str, Any]:
    """Checks a model; ``result`` contains the findings as JSON, a list of kind, severity, message and place.

    The options are those of ``onnxc.check``.
    """
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


@_row(_api.infer)
def infer_file(path: str, **options: Any) -> dict[str, Any]:
    """Infers types and shapes; ``result`` contains the types of the outputs as JSON. The options are those of
    ``onnxc.infer``."""
    model = _api.infer(Path(path), **options)
    outputs = {value["name"]: value["type"] for value in _api.info(model)["outputs"]}
    return {"ok": True, "result": json.dumps(outputs)}


@_row(_api.to_text)
def print_file(path: str, **options: Any) -> dict[str, Any]:
    """Prints the model as text, which is ``result``. The options are those of ``onnxc.to_text``."""
    return {"ok": True, "result": _api.to_text(Path(path), **options)}


@_row()
def convert_file(path: str, *, folder: str, suffix: str = ".onnxtxt") -> dict[str, Any]:
    """Writes the model to ``folder`` in the format of ``suffix``; ``result`` is the path of the new file."""
    stem = os.path.splitext(os.path.basename(path))[0]
    target = os.path.join(folder, f"{stem}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:8]}{suffix}")
    os.makedirs(folder, exist_ok=True)
    _api.save(Path(path), target)
    return {"ok": True, "result": target}


def on_rows(work: Work, **options: Any) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Returns a function like ``work`` whose argument is not a path but a row with a ``path``, for example for ``Dataset.map`` of
    Ray. The result also contains the other columns of the row."""
    inspect.signature(work).bind("", **options)
    return functools.partial(_on_row, work, options)


def run(
    work: Work, paths: Iterable[str], folder: str, *, processes: int | None = None, part: int = 1000, **options: Any
) -> int:
    """Calls ``work`` for each file, in several processes, and writes the rows to ``folder/part-NNNNN.parquet``.

    After an interruption, call ``run`` again with the same function, options, paths and part: existing Parquet files are not
    computed again. ``folder/_manifest.json`` records these arguments, and a call with other arguments is refused.

    Args:
        work: a function of this module, or any other function that takes a path and returns a dict. If it raises an exception,
            the exception becomes the ``error`` of the row. If a row does not have a column that other rows of the same Parquet
            file have, the column is null in this row.
        part: the number of rows in one Parquet file.
    Returns:
        the number of rows that this call has written.
    Raises:
        ValueError: if the folder contains the output of a call with other arguments.
        TypeError: if ``work`` does not accept the options, or if ``paths`` is a single path.
        Exception: the exception of ``pickle`` if another process cannot receive ``work`` or an option, for example a lambda.
    """
    import pyarrow  # type: ignore[import-untyped,unused-ignore]
    import pyarrow.parquet  # type: ignore[import-untyped,unused-ignore]

    if isinstance(paths, (str, bytes, os.PathLike)):
        raise TypeError(f"paths is a list of paths, not the one path {paths!r}")
    part = operator.index(part)
    if part < 1:
        raise ValueError(f"part is a number of rows, not {part}")
    inspect.signature(work).bind("", **options)
    pickle.dumps((work, options))  # Python 3.11 may never return from a pool that cannot send a task to a process
    files = [os.fsdecode(path) for path in paths]
    _claim(folder, _manifest(work, files, part, options))
    written = 0
    for number, chunk in enumerate(_chunks(files, part)):
        target = os.path.join(folder, f"part-{number:05}.parquet")
        if os.path.exists(target):
            continue
        rows = _as_table([_as_utf8(row) for row in _map(functools.partial(_guarded, work, options), chunk, processes)])
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), target + ".tmp")
        os.replace(target + ".tmp", target)
        written += len(rows)
    return written


def _guarded(work: Work, options: dict[str, Any], path: str) -> Mapping[str, Any]:
    """Returns the row of one file, even if ``work`` raises an exception."""
    try:
        row = work(path, **options)
    except Exception as error:
        return _empty_row(path, f"{error.__class__.__name__}: {error}")
    if not isinstance(row, Mapping):
        return _empty_row(path, f"TypeError: {_name_of(work)} returns a {row.__class__.__name__}, not a dict")
    return row


def _as_table(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the rows, each with the columns of all rows."""
    columns = dict.fromkeys(column for row in rows for column in row)
    return [{column: row.get(column) for column in columns} for row in rows]


def _name_of(work: Any) -> str:
    """Returns a name of a function that is the same in each process."""
    if isinstance(work, functools.partial):
        given = [*map(repr, work.args), *(f"{name}={value!r}" for name, value in sorted(work.keywords.items()))]
        return f"{_name_of(work.func)}({', '.join(given)})"
    return f"{getattr(work, '__module__', '')}.{getattr(work, '__qualname__', type(work).__qualname__)}"


def _manifest(work: Work, files: list[str], part: int, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments that determine the rows in a folder."""
    defaults = inspect.signature(work).parameters
    told = {name: value for name, value in options.items() if name not in defaults or defaults[name].default != value}
    digest = hashlib.sha256()
    for path in files:
        digest.update(os.fsencode(path) + b"\0")
    return {
        "function": _name_of(work),
        "options": {name: repr(value) for name, value in sorted(told.items())},
        "part": part,
        "paths": len(files),
        "sha256 of the paths": digest.hexdigest(),
    }


def _claim(folder: str, manifest: dict[str, Any]) -> None:
    """Writes the manifest into a folder without Parquet files. If the folder contains such files, its manifest must be the
    same."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "_manifest.json")
    parts = sorted(name for name in os.listdir(folder) if name.startswith("part-") and name.endswith(".parquet"))
    if not parts:
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            json.dump(manifest, file, indent=2)
        os.replace(path + ".tmp", path)
        return
    try:
        with open(path, encoding="utf-8") as file:
            old = json.load(file)
    except FileNotFoundError:
        raise ValueError(f"{folder} holds {parts[0]}, but no _manifest.json that says what it is of") from None
    except ValueError as error:
        raise ValueError(f"{path} cannot be read: {error}") from error
    for key, value in manifest.items():
        before = old.get(key) if isinstance(old, dict) else old
        if before != value:
            raise ValueError(f"{folder} is of another run: {key} was {before!r}, and is {value!r} now")


def _as_utf8(row: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the row with escapes for bytes that are not UTF-8."""
    return {key: _escaped(value) if isinstance(value, str) else value for key, value in row.items()}


def _escaped(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _map(work: Work, paths: list[str], processes: int | None) -> list[Mapping[str, Any]]:
    try:
        with ProcessPoolExecutor(processes) as pool:
            return list(pool.map(work, paths, chunksize=max(1, len(paths) // 64)))
    except BrokenProcessPool:
        return [_alone(work, path) for path in paths]


def _alone(work: Work, path: str) -> Mapping[str, Any]:
    """Calls the function in a separate process, because the process may be killed, for example if memory runs out."""
    try:
        with ProcessPoolExecutor(1) as pool:
            return pool.submit(work, path).result()
    except BrokenProcessPool:
        return _empty_row(path, "the process was killed")


def _chunks(paths: list[str], size: int) -> Iterator[list[str]]:
    for begin in range(0, len(paths), size):
        yield paths[begin : begin + size]


def _place(finding: Finding) -> str:
    begin = finding.range and finding.range.begin
    return finding.path or (f"{begin.line}:{begin.column}" if begin else "")


def _on_row(work: Work, options: dict[str, Any], row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, **_as_utf8(work(row["path"], **options))}
