"""Code to names and uses: what is imported from where, and what is done with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

FLUENT = {"fit", "partial_fit", "set_params", "set_output", "set_fit_request", "set_score_request"}
PARTIAL = "functools.partial"
CLONE = "sklearn.base.clone"
RUNS_TEXT = {"exec", "eval"}
IMPORTERS = {"__import__", "importlib.import_module"}


@dataclass(frozen=True)
class Imported:
    """One name of an import statement."""

    node: ast.Import | ast.ImportFrom
    path: str  # what is imported, such as `sklearn.linear_model.Ridge`
    name: str  # as the script calls it
    alias: str | None

    @property
    def line(self) -> int:
        return self.node.lineno

    @property
    def binds(self) -> str:
        """The path that the name stands for: `import sklearn.svm` binds `sklearn`."""
        plain = isinstance(self.node, ast.Import) and self.alias is None
        return self.path.partition(".")[0] if plain else self.path


@dataclass(frozen=True)
class Called:
    """A call of something imported: positional arguments, keywords, and whether more came by stars."""

    path: str
    line: int
    positional: int
    keywords: dict[str, Any]
    stars: bool


@dataclass(frozen=True)
class MethodCalled:
    """Keywords of a method of an instance."""

    path: str
    method: str
    line: int
    keywords: tuple[str, ...]


@dataclass(frozen=True)
class AttributeRead:
    """An attribute of an instance; without a path it is not known of what."""

    path: str | None
    attribute: str
    line: int


@dataclass
class ScriptReading:
    """What a script imports and does."""

    imports: list[Imported] = field(default_factory=list)
    chains: list[tuple[str, ast.Attribute]] = field(default_factory=list)  # `lm.Ridge`, by full path
    calls: list[Called] = field(default_factory=list)
    methods: list[MethodCalled] = field(default_factory=list)
    attributes_read: list[AttributeRead] = field(default_factory=list)
    parents: list[tuple[str, int]] = field(default_factory=list)  # classes that others inherit from
    strings: list[tuple[str, int]] = field(default_factory=list)  # that may name parameters, as in grids
    remarks: list[tuple[int, str]] = field(default_factory=list)
    bound_otherwise: dict[str, int] = field(default_factory=dict)  # names that are not only imported
    bare: set[str] = field(default_factory=set)  # imported names used other than as `name.something`


UNKNOWN = object()  # the value of an argument that is no constant


def read(tree: ast.Module) -> ScriptReading:
    """Everything a report needs of a script."""
    reading = ScriptReading()
    _Imports(reading).visit(tree)
    names = _Names({i.name: i.binds for i in reading.imports})
    for _ in range(2):  # a name may be used above the line that says what it is
        names.learn(tree)
    _Uses(reading, names).visit(tree)
    return reading


class _Imports(ast.NodeVisitor):
    def __init__(self, reading: ScriptReading) -> None:
        self.reading = reading

    def visit_Import(self, node: ast.Import) -> None:
        for item in node.names:
            name = item.asname or item.name.partition(".")[0]
            self.reading.imports.append(Imported(node, item.name, name, item.asname))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level or node.module is None:
            return
        for item in node.names:
            if item.name == "*":
                if node.module.partition(".")[0] == "sklearn":
                    sentence = (
                        f"`from {node.module} import *` hides which names are meant; import them by name."
                    )
                    self.reading.remarks.append((node.lineno, sentence))
                continue
            path, name = f"{node.module}.{item.name}", item.asname or item.name
            self.reading.imports.append(Imported(node, path, name, item.asname))

    def visit_FunctionDef(self, node: Any) -> None:
        if not isinstance(node, ast.Lambda):
            self._binds(node.name, node.lineno)
        a = node.args
        for argument in (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg):
            if argument is not None:
                self._binds(argument.arg, argument.lineno)
        self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef
    visit_Lambda = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._binds(node.name, node.lineno)
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._binds(node.id, node.lineno)

    def _binds(self, name: str, line: int) -> None:
        self.reading.bound_otherwise.setdefault(name, line)


class _Names:
    """What names stand for: imported paths, and instances of imported classes."""

    def __init__(self, imported: dict[str, str]) -> None:
        self.imported = imported
        self.instances: dict[str, set[str]] = {}

    def learn(self, tree: ast.AST) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                pairs = [(target, node.value) for target in node.targets]
            elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                pairs = [(node.target, node.value)]
            else:
                continue
            for target, value in pairs:
                self._assign(target, value)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
            for one, its in zip(target.elts, value.elts, strict=False):
                self._assign(one, its)
        elif (key := _key(target)) is not None:
            self.instances.setdefault(key, set()).update(self.classes(value))

    def path(self, node: ast.expr) -> str | None:
        """The dotted path of an imported name and its attributes."""
        if isinstance(node, ast.Name):
            return self.imported.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self.path(node.value)
            return None if base is None else f"{base}.{node.attr}"
        return None

    def classes(self, node: ast.expr) -> set[str]:
        """Paths of what an expression may be an instance of, as far as the code shows it."""
        if (key := _key(node)) is not None and key in self.instances:
            return self.instances[key]
        if isinstance(node, ast.IfExp):
            return self.classes(node.body) | self.classes(node.orelse)
        if not isinstance(node, ast.Call):
            return set()
        path = self.path(node.func)
        if path == CLONE and node.args:
            return self.classes(node.args[0])
        if path is not None:
            return {path}
        if isinstance(node.func, ast.Attribute) and node.func.attr in FLUENT:
            return self.classes(node.func.value)
        return set()


def _key(node: ast.expr) -> str | None:
    """`model` and `self.model` as keys."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
        return f"self.{node.attr}"
    return None


class _Uses(ast.NodeVisitor):
    def __init__(self, reading: ScriptReading, names: _Names) -> None:
        self.reading, self.names = reading, names

    def visit_Import(self, node: ast.Import) -> None:
        """Names are known already."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Names are known already."""

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for base in node.bases:
            if (path := self.names.path(base)) is not None:
                self.reading.parents.append((path, base.lineno))
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in self.names.imported:
            self.reading.bare.add(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        path = self.names.path(node)
        if path is not None:
            self.reading.chains.append((path, node))
            return
        known = self.names.classes(node.value)
        self.reading.attributes_read += [
            AttributeRead(one, node.attr, _end(node)) for one in known or (None,)
        ]
        self.visit(node.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and "__" in node.value:
            self.reading.strings.append((node.value, node.lineno))

    def visit_Dict(self, node: ast.Dict) -> None:
        for key in node.keys:
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and "__" not in key.value:
                self.reading.strings.append((key.value, key.lineno))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        path = self.names.path(node.func)
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if path is not None:
            self._called(path, node, node.args)
        if path == PARTIAL and node.args and (made := self.names.path(node.args[0])) is not None:
            self._called(made, node, node.args[1:])
        if (path or name) in IMPORTERS or (name == "getattr" and node.args):
            self._dynamic(node, path or str(name))
        if name in RUNS_TEXT and name not in self.reading.bound_otherwise:
            self._remark(node, f"`{name}` runs text, which is not read.")
        if path == "sklearn.utils.all_estimators" or path == "sklearn.utils.discovery.all_estimators":
            self._remark(node, "`all_estimators` finds classes at run time; they stay scikit-learn's.")
        if isinstance(node.func, ast.Attribute):
            self._method(node, node.func)
        self.generic_visit(node)

    def _called(self, path: str, node: ast.Call, arguments: list[ast.expr]) -> None:
        stars = any(isinstance(a, ast.Starred) for a in arguments) or any(
            k.arg is None for k in node.keywords
        )
        keywords = {k.arg: _constant(k.value) for k in node.keywords if k.arg is not None}
        n = sum(not isinstance(a, ast.Starred) for a in arguments)
        self.reading.calls.append(Called(path, node.lineno, n, keywords, stars))

    def _method(self, node: ast.Call, function: ast.Attribute) -> None:
        keywords = tuple(k.arg for k in node.keywords if k.arg is not None)
        if function.attr == "set_params":
            self.reading.strings += [(k, node.lineno) for k in keywords]
        for path in self.names.classes(function.value):
            self.reading.methods.append(MethodCalled(path, function.attr, _end(function), keywords))

    def _dynamic(self, node: ast.Call, function: str) -> None:
        """Imports and attributes by text."""
        first = node.args[0] if node.args else None
        if function == "getattr":
            path = None if first is None else self.names.path(first)
            if path is not None and path.partition(".")[0] == "sklearn":
                self._remark(node, f"`getattr({path}, …)` takes a name at run time, which is not read.")
        elif not isinstance(first, ast.Constant):
            self._remark(node, f"`{function}` imports a module whose name only a run tells.")
        elif str(first.value).partition(".")[0] == "sklearn":
            self._remark(
                node, f"`{function}({first.value!r})` is not followed; what it gives stays scikit-learn's."
            )

    def _remark(self, node: ast.AST, text: str) -> None:
        self.reading.remarks.append((getattr(node, "lineno", 1), text))


def _constant(node: ast.expr) -> Any:
    return node.value if isinstance(node, ast.Constant) else UNKNOWN


def _end(node: ast.Attribute) -> int:
    """The line in which the attribute itself stands, where a chain goes over several."""
    return node.end_lineno or node.lineno


def walk_paths(reading: ScriptReading) -> Iterator[tuple[str, int]]:
    """Every dotted path that the script names, with its line: imports, then chains of attributes."""
    for imported in reading.imports:
        yield imported.path, imported.line
    for path, node in reading.chains:
        yield path, node.lineno
