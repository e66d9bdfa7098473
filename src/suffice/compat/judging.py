"""What can be swapped in a script, what would change, and what keeps a name with scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from suffice.compat.counterparts import (
    PEER,
    Counterpart,
    counterpart,
    home,
    is_peer,
    module_exists,
    older_than,
    prefixes,
    table,
    their_object,
)
from suffice.compat.reading import AttributeRead, Called, ScriptReading, read, walk_paths
from suffice.compat.sources import Script, open_script, script_of

Verdict = Literal["swap", "stays", "same", "different", "beside", "elsewhere", "gone"]


@dataclass(frozen=True)
class Remark:
    """A sentence about a line."""

    line: int
    says: str


@dataclass(frozen=True)
class Name:
    """One imported class or function, where it is named first, and what becomes of it."""

    path: str
    line: int
    verdict: Verdict
    ours: str | None = None
    why: tuple[Remark, ...] = ()  # what keeps it where it is
    changes: tuple[Remark, ...] = ()  # what a swap changes
    adds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """What was found in one script."""

    script: Script
    reading: ScriptReading
    names: tuple[Name, ...]
    unseen: tuple[Remark, ...]

    def of(self, *verdicts: Verdict) -> tuple[Name, ...]:
        """Names with one of these verdicts, in the order of their lines."""
        return tuple(n for n in self.names if n.verdict in verdicts)

    @property
    def swaps(self) -> dict[str, str]:
        """Paths that can be swapped, and ours."""
        return {n.path: n.ours for n in self.of("swap") if n.ours is not None}


def check(source: str | Path | Script) -> Report:
    """What could be swapped in a script: a path, the code itself, or a script that is open already.

    Examples
    --------
    >>> from suffice.compat import check
    >>> code = "from sklearn.linear_model import Ridge, SGDRegressor; Ridge(1.0, solver='sag')"
    >>> [(name.path, name.verdict) for name in check(code).names]
    [('sklearn.linear_model.Ridge', 'swap'), ('sklearn.linear_model.SGDRegressor', 'beside')]
    """
    if isinstance(source, str):
        source = script_of(source)
    script = open_script(source) if isinstance(source, Path) else source
    return _Judge(script, read(script.tree)).report()


@dataclass
class _Judge:
    script: Script
    reading: ScriptReading
    found: dict[str, tuple[int, Counterpart | None]] = field(default_factory=dict)

    def report(self) -> Report:
        for path, line in walk_paths(self.reading):
            self._note(path, line)
        names = [self._name(path, line, own) for path, (line, own) in self.found.items()]
        unseen = [*self.script.remarks, *self.reading.remarks]
        remarks = sorted({Remark(line, says) for line, says in unseen}, key=lambda r: r.line)
        return Report(
            self.script, self.reading, tuple(sorted(names, key=lambda n: (n.line, n.path))), tuple(remarks)
        )

    def _note(self, path: str, line: int) -> None:
        """A class or function somewhere in a dotted path; modules on the way are none."""
        package = path.partition(".")[0]
        if package in table()["elsewhere"] and path not in self._modules:
            self.found.setdefault(path, (line, None))
        if not is_peer(path) or path == PEER:
            return
        for start, _ in prefixes(path):
            if (own := counterpart(start)) is not None:
                self.found.setdefault(start, (line, own))
                return
        for start, _ in reversed(list(prefixes(path))):  # the first part that is no module is the name
            if not module_exists(start):
                self.found.setdefault(start, (line, None))
                return

    @cached_property
    def _modules(self) -> set[str]:
        """Paths that only lead to other names: `import statsmodels.api as sm`, where `sm.OLS` is used."""
        paths = {i.path for i in self.reading.imports}
        longer = {path for path, _ in self.reading.chains}
        return {p for p in paths if any(q.startswith(f"{p}.") for q in longer)}

    def _name(self, path: str, line: int, own: Counterpart | None) -> Name:
        if not is_peer(path):
            other = table()["elsewhere"][path.partition(".")[0]].get(path.rpartition(".")[2])
            return Name(path, line, "elsewhere", other)
        if own is None:
            return self._without_counterpart(path, line)
        public = f"{home(own.theirs)}.{own.name}"
        if public in table()["different"]:
            return Name(path, line, "different", own.own_path, (Remark(line, table()["different"][public]),))
        if own.own is own.theirs:
            return Name(path, line, "same", own.own_path)
        kept = tuple(_unique(self._kept(own)))
        if kept:
            return Name(path, line, "stays", own.own_path, kept)
        return Name(path, line, "swap", own.own_path, (), tuple(_unique(self._changes(own, line))), own.adds)

    def _without_counterpart(self, path: str, line: int) -> Name:
        theirs = their_object(path)
        if theirs is None:
            return Name(path, line, "gone")
        public = f"{home(theirs)}.{path.rpartition('.')[2]}"
        sentence = table()["beside"].get(public) or table()["different"].get(public)
        return Name(path, line, "beside", None, (Remark(line, sentence),) if sentence else ())

    # -- what keeps a name ------------------------------------------------------------------------------------------
    def _kept(self, own: Counterpart) -> Iterator[Remark]:
        for call in self._calls(own):
            yield from _refused(own, call)
        for used in self.reading.methods:
            if used.path == own.path:
                missing = [k for k in used.keywords if not own.takes(k, used.method)]
                yield from (Remark(used.line, f"`{used.method}` of ours takes no {k}=.") for k in missing)
        for use in self.reading.attributes_read:
            yield from self._lacking(own, use)
        for path, node in self.reading.chains:
            start, _, rest = path.partition(own.path + ".")
            if not start and rest and own.lacks(rest.partition(".")[0]):
                yield Remark(node.lineno, f"ours has no `{rest}`.")
        for path, line in self.reading.parents:
            if path == own.path:
                yield Remark(line, "a class inherits from it, and builds on its insides.")
        for text, line in self.reading.strings:
            if (name := text.rpartition("__")[2]) in own.lacking_parameters and self._may_name(own, text):
                yield Remark(line, f"{text!r} may name its parameter `{name}`, which ours does not take.")

    def _lacking(self, own: Counterpart, use: AttributeRead) -> Iterator[Remark]:
        other = own.means_otherwise(use.attribute)
        if not other and not own.lacks(use.attribute):
            return
        if use.path == own.path:
            sentence = (
                f"`{use.attribute}` of ours is something else."
                if other
                else f"ours has no `{use.attribute}`."
            )
            yield Remark(use.line, sentence)
        elif use.path is None and use.attribute.endswith("_") and not use.attribute.startswith("_"):
            lacking = "ours is something else" if other else "ours has none"
            yield Remark(use.line, f"`.{use.attribute}` may be asked of it, and {lacking}.")

    def _may_name(self, own: Counterpart, text: str) -> bool:
        """A name inside of steps may be anybody's, unless the step is called after another class."""
        step = text.rpartition("__")[0].rpartition("__")[2]
        others = {o.name.lower() for _, o in self.found.values() if o is not None and o.path != own.path}
        return step not in others

    def _calls(self, own: Counterpart) -> Iterator[Called]:
        return (call for call in self.reading.calls if call.path == own.path)

    # -- what a swap changes ----------------------------------------------------------------------------------------
    def _changes(self, own: Counterpart, line: int) -> Iterator[Remark]:
        calls = list(self._calls(own))
        for call in calls:
            used = [f"{k}=" for k in call.keywords if k in own.without_effect]
            if used:
                yield Remark(
                    call.line, f"{_listed(used)} {'is' if len(used) == 1 else 'are'} taken without effect."
                )
            if call.stars:
                yield Remark(call.line, "arguments given by stars are not read.")
        for entry in table()["differs"]:
            if entry["class"] == own.name:
                yield from (Remark(at, entry["says"]) for at in self._triggers(entry, own, calls, line))

    def _triggers(self, entry: Any, own: Counterpart, calls: list[Called], line: int) -> list[int]:
        """Lines of which the sentence is true: where a parameter or attribute is used, or the import."""
        if "below" in entry and not older_than(entry["below"]):
            return []
        if "parameter" in entry:
            name = entry["parameter"]
            given = [(c.line, c.keywords[name]) for c in calls if name in c.keywords]
            return [at for at, value in given if "value" not in entry or value == entry["value"]][:1]
        if "attribute" in entry:
            return [a.line for a in self.reading.attributes_read if a.attribute == entry["attribute"]][:1]
        return [line]


def _refused(own: Counterpart, call: Called) -> Iterator[Remark]:
    for keyword in call.keywords:
        if not own.takes(keyword):
            yield Remark(call.line, f"ours takes no {keyword}=.")
    if call.positional > own.most_positional:
        n = int(own.most_positional)
        yield Remark(call.line, f"ours takes {n or 'no'} argument{'' if n == 1 else 's'} by position.")


def _unique(remarks: Iterable[Remark]) -> list[Remark]:
    return sorted(dict.fromkeys(remarks), key=lambda r: r.line)


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
