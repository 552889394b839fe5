"""Findings: what is wrong with a text or a model, as objects."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

__all__ = ["Finding", "Findings", "FixIt", "Note", "OnnxcError", "Position", "Range"]

_ANSI = re.compile(r"\x1b\[([0-9;]*)m")
_STYLES = {"1": "font-weight:bold", "31": "color:#c0392b", "32": "color:#1e8449", "33": "color:#b9770e",
           "34": "color:#2471a3", "35": "color:#7d3c98", "36": "color:#117a65"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a text: line and column count from 1, columns in characters, the offset in bytes from 0."""

    line: int
    column: int
    offset: int


@dataclass(frozen=True, slots=True)
class Range:
    """The text from ``begin`` up to, but without, ``end``."""

    begin: Position
    end: Position


@dataclass(frozen=True, slots=True)
class Note:
    """A second place that explains a finding."""

    message: str
    range: Range


@dataclass(frozen=True, slots=True)
class FixIt:
    """A replacement of text that corrects a finding. All fix-its of one finding belong together."""

    range: Range
    replacement: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One error or warning. It has a ``range`` where there is a text, and a ``path`` where there is only a message."""

    kind: str
    severity: str
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


@dataclass(frozen=True, slots=True)
class Findings(Sequence[Finding]):
    """All findings of one call, in the order of the text. ``str()`` shows them with the lines they blame."""

    items: tuple[Finding, ...] = ()
    suppressed: int = 0
    ok: bool = True
    _rendered: str = field(default="", repr=False)

    def __getitem__(self, index):  # type: ignore[override]
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.items)

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.items if finding.severity == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.items if finding.severity == "warning")

    def render(self, color: bool = False) -> str:
        """The findings for people, as the command shows them."""
        return self._rendered if color else without_colors(self._rendered)

    def __str__(self) -> str:
        return self.render().rstrip("\n")

    def _repr_html_(self) -> str:
        return f"<pre>{ansi_to_html(self._rendered or 'no findings')}</pre>"


class OnnxcError(Exception):
    """An input that is wrong. ``findings`` says what and where; ``str()`` shows it with carets."""

    def __init__(self, findings: Findings):
        super().__init__(str(findings))
        self.findings = findings

    def __reduce__(self):
        return type(self), (self.findings,)

    def _repr_html_(self) -> str:
        return self.findings._repr_html_()


def without_colors(text: str) -> str:
    return _ANSI.sub("", text)


def ansi_to_html(text: str) -> str:
    """Text with ANSI colours as HTML."""
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


def read_findings(ok: bool, document: str | None, rendered: str | None) -> Findings:
    """The findings that the extension module gives, as objects."""
    if document is None:
        return _NO_FINDINGS if ok else Findings(ok=False)
    report = json.loads(document)
    items = tuple(_finding(item) for item in report["diagnostics"])
    return Findings(items, report.get("suppressed", 0), ok, rendered or "")


_NO_FINDINGS = Findings()  # most calls find nothing


def _finding(item: dict) -> Finding:
    return Finding(
        kind=item["kind"],
        severity=item["severity"],
        message=item["message"],
        file=item.get("file", ""),
        range=_range(item["range"]) if "range" in item else None,
        path=item.get("path"),
        notes=tuple(Note(note["message"], _range(note["range"])) for note in item.get("notes", ())),
        fix_its=tuple(FixIt(_range(fix["range"]), fix["replacement"]) for fix in item.get("fix_its", ())),
    )


def _range(item: dict) -> Range:
    return Range(Position(**item["begin"]), Position(**item["end"]))
