"""Findings: the errors and warnings about a text or a model, as objects."""

from __future__ import annotations

import dataclasses
import enum
import html
import json
import os
import re
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, SupportsIndex, TypeVar, cast, overload

__all__ = ["Finding", "Findings", "FixIt", "Note", "OnnxcError", "Position", "Range", "Severity"]

PAPER = "background:#ffffff;color:#1a1a1a;padding:4px"
"""The style of outputs in notebooks: dark on a light background, whatever the theme is."""

_ANSI = re.compile(r"\x1b\[([0-9;]*)m")
_STYLES = {"1": "font-weight:bold", "31": "color:#c0392b", "32": "color:#1e8449", "33": "color:#8a5a00",
           "34": "color:#2471a3", "35": "color:#7d3c98", "36": "color:#117a65"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a text. The line and the column count from 1; columns are characters. The offset counts bytes from 0."""

    line: int
    column: int
    offset: int


@dataclass(frozen=True, slots=True)
class Range:
    """A range of a text, from ``begin`` up to but not including ``end``."""

    begin: Position
    end: Position


@dataclass(frozen=True, slots=True)
class Note:
    """A second place that explains a finding."""

    message: str
    range: Range


@dataclass(frozen=True, slots=True)
class FixIt:
    """A replacement of text that corrects a finding. The fix-its of one finding must be applied together."""

    range: Range
    replacement: str


class Severity(str, enum.Enum):
    """The severity of a finding. A member is equal to its name: ``finding.severity == "error"``."""

    ERROR = "error"
    WARNING = "warning"

    __str__ = str.__str__


@dataclass(frozen=True, slots=True)
class Finding:
    """One error or warning. It has a ``range`` if there is a text, and a ``path`` if there is only a message."""

    kind: str
    severity: Severity
    message: str
    file: str
    range: Range | None = None
    path: str | None = None
    notes: tuple[Note, ...] = ()
    fix_its: tuple[FixIt, ...] = ()

    def __str__(self) -> str:
        place = f"{self.file}:{self.range.begin.line}:{self.range.begin.column}" if self.range else self.file
        path = f"{self.path}: " if self.path else ""
        return f"{place}: {self.severity}: {path}{self.message} [{self.kind}]"

    def to_dict(self) -> dict[str, Any]:
        """Returns the finding as plain values, for JSON and tables. The names are those of the command's ``--error-format
        json``."""
        item = dataclasses.asdict(self)
        item["severity"] = str(self.severity)
        return {key: value for key, value in item.items() if value not in (None, ())}


@dataclass(frozen=True, slots=True)
class Findings(Sequence[Finding]):
    """All findings of one call, in the order of the text. ``str()`` shows them with the source lines.

    If there are more than 100 findings, ``str()`` shows 100, errors first, and the number of the others.
    """

    items: tuple[Finding, ...] = ()
    suppressed: int = 0
    ok: bool = True
    _rendered: tuple[str, ...] = field(default=(), compare=False)
    _source: bytes | None = field(default=None, compare=False)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Finding: ...
    @overload
    def __getitem__(self, index: slice) -> Findings: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Finding | Findings:
        if not isinstance(index, slice):
            return self.items[index]
        items = self.items[index]
        ok = all(finding.severity is not Severity.ERROR for finding in items)
        return Findings(items, 0, ok, self._rendered[index], self._source)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.items)

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self.items[:_SHOWN_IN_REPR]))
        more = len(self.items) - _SHOWN_IN_REPR
        count = f", and {more} more" if more > 0 else ""
        return f"<Findings: {len(self.items)} ({shown}{count})>" if self.items else f"<Findings: none, ok={self.ok}>"

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.items if finding.severity is Severity.ERROR)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.items if finding.severity is Severity.WARNING)

    def fixed_text(self) -> str:
        """Returns the text after one round of corrections. Fix-its that overlap earlier fix-its are left out. ``onnxc check
        --fix`` makes further rounds, with the findings of the new text.

        Raises:
            ValueError: if the input was not a text.
        """
        if self._source is None:
            raise ValueError("only a text can be corrected")
        taken: list[tuple[int, int, str]] = []
        for finding in self.items:
            spans = [(fix.range.begin.offset, fix.range.end.offset, fix.replacement) for fix in finding.fix_its]
            if not any(_overlap(new, old) for new in spans for old in taken):
                taken += spans
        done, parts = 0, []
        for begin, end, replacement in sorted(taken, key=lambda span: span[:2]):
            parts += [self._source[done:begin], replacement.encode("utf-8", "surrogateescape")]
            done = end
        return b"".join([*parts, self._source[done:]]).decode("utf-8", "surrogateescape")

    def render(self, color: bool = False) -> str:
        """Returns the findings in the form in which the command shows them."""
        shown = "".join(self._rendered)
        hidden = self.suppressed + self._rendered.count("")
        if hidden:
            shown += f"{self.items[0].file if self.items else ''}: \x1b[1;36mnote\x1b[0m: "
            shown += "1 more finding is not shown\n" if hidden == 1 else f"{hidden} more findings are not shown\n"
        return shown if color else without_colors(shown)

    def __str__(self) -> str:
        return self.render().rstrip("\n")

    def _repr_html_(self) -> str:
        return to_html(self.render(color=True) or "no findings")


class OnnxcError(Exception):
    """An input has errors. ``findings`` contains the errors with their places. ``str()`` shows them with source lines and carets.

    An exception that is made from a ``str``, as in ``raise type(error)("...")``, has no findings.
    """

    def __init__(self, findings: Findings | str = "", phrase: str = ""):
        """``phrase`` is the message of another package for the same error; it becomes the last line."""
        self.findings = findings if isinstance(findings, Findings) else Findings(ok=False)
        super().__init__("\n".join(part for part in (str(findings), phrase) if part))

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), str(self), self.findings)

    def _repr_html_(self) -> str:
        return self.findings._repr_html_()

    def _render_traceback_(self) -> list[str]:
        """Returns the text that IPython shows instead of a traceback: the place of the ``raise``, and the findings in
        colours."""
        frames = [frame for frame in traceback.extract_tb(self.__traceback__) if os.path.dirname(frame.filename) != _FOLDER]
        shown = self.findings.render(color=True) or str(self)
        return [*traceback.format_list(frames), f"\x1b[1;31m{type(self).__name__}\x1b[0m:", *shown.splitlines()]


_SHOWN_IN_REPR = 3
_FOLDER = os.path.dirname(__file__)


def _again(kind: type[OnnxcError], message: str, findings: Findings) -> OnnxcError:
    """Restores an error from a pickle."""
    error = kind(message)
    error.findings = findings
    return error


def _overlap(new: tuple[int, int, str], old: tuple[int, int, str]) -> bool:
    """Returns whether two edits overlap. Two insertions at the same place count as overlapping."""
    return (new[0] < old[1] and old[0] < new[1]) or new[:2] == old[:2]


def without_colors(text: str) -> str:
    return _ANSI.sub("", text)


def to_html(text: str) -> str:
    """Converts text with ANSI colours to HTML. The HTML sets the background, so that it is also readable in dark themes."""
    return f"<pre style='{PAPER}'>{_ansi_to_html(text)}</pre>"


def _ansi_to_html(text: str) -> str:
    shown, is_open = [], False
    position = 0
    for match in _ANSI.finditer(text):
        shown.append(html.escape(text[position : match.start()]))
        position = match.end()
        if is_open:
            shown.append("</span>")
        styles = [_STYLES[code] for code in match[1].split(";") if code in _STYLES]
        is_open = bool(styles)
        if is_open:
            shown.append(f'<span style="{";".join(styles)}">')
    shown.append(html.escape(text[position:]))
    return "".join(shown) + ("</span>" if is_open else "")


def read_findings(ok: bool, document: str | None, rendered: tuple[str, ...] | None, source: bytes | None = None) -> Findings:
    """Converts the findings of the extension module to objects. ``source`` is the input."""
    if document is None:
        return _NO_FINDINGS if ok else Findings(ok=False)
    report = json.loads(document)
    items = tuple(_finding(item) for item in report["diagnostics"])
    text = source if any(item.range for item in items) else None
    return Findings(items, report.get("suppressed", 0), ok, rendered or (), text)


Value = TypeVar("Value")


def value_of(answer: tuple[bool, Value | None, str | None, tuple[str, ...] | None], source: bytes | None = None) -> Value:
    """Returns the value in an answer of the extension module, or raises an exception with its findings."""
    ok, value, findings, rendered = answer
    if not ok:
        raise OnnxcError(read_findings(ok, findings, rendered, source))
    return cast(Value, value)


_NO_FINDINGS = Findings()  # most calls find nothing


def _finding(item: dict[str, Any]) -> Finding:
    return Finding(
        kind=item["kind"],
        severity=Severity(item["severity"]),
        message=item["message"],
        file=item.get("file", ""),
        range=_range(item["range"]) if "range" in item else None,
        path=item.get("path"),
        notes=tuple(Note(note["message"], _range(note["range"])) for note in item.get("notes", ())),
        fix_its=tuple(FixIt(_range(fix["range"]), fix["replacement"]) for fix in item.get("fix_its", ())),
    )


def _range(item: dict[str, Any]) -> Range:
    return Range(Position(**item["begin"]), Position(**item["end"]))
