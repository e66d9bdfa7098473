"""The swapped script: import statements that name what can be swapped are written anew, and nothing else but chains.

`from sklearn.linear_model import Ridge` becomes `from suffice.linear import Ridge`. Where a module was imported,
`lm.Ridge` becomes `suffice.linear.Ridge`, and an `import suffice.linear` stands after the import of `lm`.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from suffice.compat.counterparts import prefixes
from suffice.compat.judging import Remark, Report, check
from suffice.compat.reading import Imported
from suffice.compat.sources import Script

OURS = "suffice"


@dataclass(frozen=True)
class Edit:
    """Text in place of what stands between two places; lines from 1, columns in bytes, as in syntax trees."""

    begin: tuple[int, int]
    end: tuple[int, int]
    text: str


def swapped(source: str | Path | Script | Report) -> str:
    """The script with every import swapped that can be, as a text; the file stays as it is.

    Examples
    --------
    >>> from suffice.compat import swapped
    >>> print(swapped("from sklearn.linear_model import Ridge, SGDRegressor"))
    from sklearn.linear_model import SGDRegressor
    from suffice.linear import Ridge
    """
    report = source if isinstance(source, Report) else check(source)
    return report.script.with_lines(_edited(report.script.lines, _edits(report)))


def difference(report: Report) -> str:
    """The swap as a patch."""
    before, after = report.script.with_lines(report.script.lines), swapped(report)
    name = report.script.name
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), name, f"{name} (swapped)", lineterm=""
    )
    return "".join(f"{line}\n" for line in lines)


def left_alone(report: Report) -> list[Remark]:
    """Chains that could be swapped but for a name that means more than one thing."""
    sentence = "`{}` is bound again ({}), so names behind it are not rewritten."
    out = []
    for path, node in report.reading.chains:
        again = _bound_again(report, _root(node))
        if _swap_of(report, path) is not None and again is not None:
            out.append(Remark(node.lineno, sentence.format(again[0], report.script.where(again[1]))))
    return out


def _bound_again(report: Report, root: str) -> tuple[str, int] | None:
    """The name that a rewritten chain could not rely on, and where it gets another meaning."""
    taken = report.reading.bound_otherwise
    return next(((name, taken[name]) for name in (root, OURS) if name in taken), None)


def _swap_of(report: Report, path: str) -> tuple[str, str] | None:
    """(ours, rest) of a dotted path, or None if it stays."""
    return next(((report.swaps[p], rest) for p, rest in prefixes(path) if p in report.swaps), None)


def _edits(report: Report) -> list[Edit]:
    statements: dict[ast.Import | ast.ImportFrom, list[Imported]] = defaultdict(list)
    for imported in report.reading.imports:
        statements[imported.node].append(imported)
    chains, rooms, kept_roots = _chain_edits(report)
    out = list(chains)
    for node, items in statements.items():
        text = _statement(report, node, items, rooms, kept_roots)
        if text is not None:
            begin, end = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
            out.append(Edit(begin, end, _joined(text, report.script.lines, begin, end)))
    return out


def _chain_edits(report: Report) -> tuple[list[Edit], dict[str, set[str]], set[str]]:
    """Chains rewritten; rooms that each root then needs; roots that are still used otherwise."""
    edits, rooms, kept = [], defaultdict(set), set(report.reading.bare)
    paths = {i.name: i.path for i in report.reading.imports if i.path in report.swaps}
    for path, node in report.reading.chains:
        root, found = _root(node), _swap_of(report, path)
        if root in paths:  # a class that is imported by its name keeps its name
            continue
        edit = None if found is None or _bound_again(report, root) else _chain_edit(report, node, *found)
        if edit is None or found is None:
            kept.add(root)
        else:
            edits.append(edit)
            rooms[root].add(found[0].rpartition(".")[0])
    return edits, rooms, kept


def _chain_edit(report: Report, node: ast.Attribute, ours: str, rest: str) -> Edit | None:
    """Ours in place of the chain but for its last parts; None where its place is not what the syntax tree says."""
    target = node
    for _ in range(rest.count(".") + 1 if rest else 0):
        assert isinstance(target.value, ast.Attribute)
        target = target.value
    begin, end = (target.lineno, target.col_offset), (target.end_lineno or 0, target.end_col_offset or 0)
    lines = [line.encode() for line in report.script.lines[begin[0] - 1 : end[0]]]
    lines[-1] = lines[-1][: end[1]]
    text = b" ".join([lines[0][begin[1] :], *lines[1:]]).decode()
    same = re.sub(r"[\s\\()]", "", text) == ast.unparse(target)
    return Edit(begin, end, ours) if same else None  # Python 3.11 misplaces names within f-strings


def _root(node: ast.Attribute) -> str:
    """The name a chain begins with."""
    base: ast.expr = node
    while isinstance(base, ast.Attribute):
        base = base.value
    assert isinstance(base, ast.Name)
    return base.id


def _statement(
    report: Report,
    node: ast.Import | ast.ImportFrom,
    items: list[Imported],
    rooms: dict[str, set[str]],
    kept: set[str],
) -> list[str] | None:
    """The statements in place of one, or None if it stays as it is."""
    new: dict[str, list[str]] = defaultdict(list)
    stay, modules = [], set()
    for item in items:
        ours = report.swaps.get(item.path)
        if ours is not None:
            room, _, name = ours.rpartition(".")
            new[room].append(f"{name} as {item.name}" if item.name != name else name)
            continue
        needed = rooms.get(item.name, set())
        modules |= needed
        if not needed or item.name in kept or (isinstance(node, ast.Import) and item.alias is None):
            stay.append(item.path.rpartition(".")[2] if isinstance(node, ast.ImportFrom) else item.path)
            if item.alias is not None:
                stay[-1] += f" as {item.alias}"
    if not new and not modules:
        return None
    out = []
    if stay:
        start = f"from {node.module} import " if isinstance(node, ast.ImportFrom) else "import "
        out.append(start + ", ".join(stay))
    out += [f"from {room} import {', '.join(names)}" for room, names in sorted(new.items())]
    return out + [f"import {room}" for room in sorted(modules)]


def _joined(
    statements: Iterable[str], lines: tuple[str, ...], begin: tuple[int, int], end: tuple[int, int]
) -> str:
    """On lines of their own, unless the statement shares its line with others."""
    before = lines[begin[0] - 1].encode()[: begin[1]].decode()
    after = lines[end[0] - 1].encode()[end[1] :].decode().strip()
    alone = not before.strip() and (not after or after.startswith("#"))
    return ("\n" + before if alone else "; ").join(statements)


def _edited(lines: tuple[str, ...], edits: Iterable[Edit]) -> list[str | None]:
    """As many lines as before: those of one edit are in the place of its first, and None in the others."""
    out: list[bytes | None] = [line.encode() for line in lines]
    for edit in sorted(edits, key=lambda e: e.begin, reverse=True):
        (first, a), (last, b) = edit.begin, edit.end
        before, after = out[first - 1] or b"", out[last - 1] or b""
        out[first - 1 : last] = [before[:a] + edit.text.encode() + after[b:], *[None] * (last - first)]
    return [None if line is None else line.decode() for line in out]
