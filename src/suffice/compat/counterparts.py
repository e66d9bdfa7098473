"""Our class or function for scikit-learn's: found by name, and asked itself what it takes and what it has."""

from __future__ import annotations

import inspect
import re
import tomllib
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

import sklearn
from sklearn.utils.fixes import parse_version

from suffice._core.filters import in_turn

PEER = "sklearn"
EXPERIMENTAL = "sklearn.experimental"
# The part of a docstring that lists attributes, as scikit-learn writes it, and a name there.
ATTRIBUTES = re.compile(r"^\s*Attributes\n\s*-+\n(.*?)(?=^\s*\w[\w ]*\n\s*---|\Z)", re.MULTILINE | re.DOTALL)
# Parameters, and the sentence below them.
WITHOUT_EFFECT = re.compile(r"^([\w, ]+)\n    [^\n]*without effect", re.MULTILINE)
ATTRIBUTE = re.compile(r"^\s*(\w+_) : ", re.MULTILINE)


@cache
def table() -> Mapping[str, Any]:
    """What the classes cannot say themselves."""
    return tomllib.loads(files("suffice.compat").joinpath("peers.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Counterpart:
    """Theirs and ours of one name."""

    path: str
    room: str
    theirs: Any
    own: Any

    @property
    def name(self) -> str:
        return self.own.__name__

    @property
    def own_path(self) -> str:
        return f"{self.room}.{self.name}"

    @property
    def is_class(self) -> bool:
        return inspect.isclass(self.own)

    def takes(self, keyword: str, method: str | None = None) -> bool:
        """Whether ours takes an argument by this name, or theirs has none either."""
        mine, others = self._parameters(self.own, method), self._parameters(self.theirs, method)
        if mine is None or others is None or keyword not in others:
            return True
        return keyword in mine or any(p.kind is p.VAR_KEYWORD for p in mine.values())

    @property
    def most_positional(self) -> float:
        """How many arguments ours takes by position."""
        parameters = self._parameters(self.own, None) or {}
        if any(p.kind is p.VAR_POSITIONAL for p in parameters.values()):
            return float("inf")
        return sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters.values())

    def lacks(self, attribute: str) -> bool:
        """Whether theirs has an attribute or method that ours has not."""
        return attribute in self._their_attributes and attribute not in self._own_attributes

    @cached_property
    def lacking_parameters(self) -> frozenset[str]:
        return frozenset(k for k in self._parameters(self.theirs, None) or {} if not self.takes(k))

    @cached_property
    def without_effect(self) -> frozenset[str]:
        """Parameters of which our docstring says so."""
        sentences = WITHOUT_EFFECT.findall(inspect.getdoc(self.own) or "")
        return frozenset(name for names in sentences for name in names.split(", "))

    def means_otherwise(self, attribute: str) -> bool:
        """Whether both have an attribute of this name, and it holds something else in ours."""
        return attribute in table()["meaning"].get(self.name, ())

    @cached_property
    def adds(self) -> tuple[str, ...]:
        """Public methods and fitted attributes that theirs has not."""
        if not self.is_class:
            return ()
        new = sorted(
            self._own_attributes - self._their_attributes - set(self._parameters(self.own, None) or {})
        )
        return tuple(n for n in new if not n.startswith("_"))

    @cached_property
    def _their_attributes(self) -> frozenset[str]:
        if not self.is_class:
            return frozenset()
        documented = ATTRIBUTES.search(inspect.getdoc(self.theirs) or "")
        return frozenset(dir(self.theirs)) | frozenset(ATTRIBUTE.findall(documented[1]) if documented else ())

    @cached_property
    def _own_attributes(self) -> frozenset[str]:
        fields = frozenset(getattr(self.own, "__dataclass_fields__", ()))
        noted = frozenset(n for c in self.own.__mro__ for n in inspect.get_annotations(c))
        inherited = self._their_attributes if issubclass(self.own, self.theirs) else frozenset()
        return frozenset(dir(self.own)) | fields | noted | inherited

    @staticmethod
    def _parameters(thing: Any, method: str | None) -> Mapping[str, inspect.Parameter] | None:
        function = thing if method is None else getattr(thing, method, None)
        try:
            return None if function is None else inspect.signature(function).parameters
        except (TypeError, ValueError):
            return None


@cache
def counterpart(path: str) -> Counterpart | None:
    """Ours for `sklearn.linear_model.Ridge`; None where there is none."""
    theirs = their_object(path)
    name = path.rpartition(".")[2]
    for room in table()["homes"].get(home(theirs), ()) if callable(theirs) else ():
        module = import_module(f"suffice.{room}")
        if name in module.__all__:
            return Counterpart(path, f"suffice.{room}", theirs, getattr(module, name))
    return None


@in_turn
def their_object(path: str) -> Any:
    """What scikit-learn has under a dotted path, or None; what it warns of there is the script's matter."""
    module, _, name = path.rpartition(".")
    if not is_peer(module) or not module_exists(module):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if module == EXPERIMENTAL:  # importing it is what puts other names where scripts look for them
                return import_module(path)
            return getattr(import_module(module), name, None)
        except (
            Exception
        ):  # names that were removed raise anything, and so do modules that need other packages
            return None


def is_peer(path: str) -> bool:
    """Whether a dotted path begins in scikit-learn."""
    return path.partition(".")[0] == PEER


@cache
def module_exists(module: str) -> bool:
    """Whether the installed scikit-learn has such a module; nothing but its packages is imported."""
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def older_than(version: str) -> bool:
    """Whether the installed scikit-learn is."""
    return bool(parse_version(sklearn.__version__) < parse_version(version))


def home(thing: Any) -> str:
    """The public module of a class: `sklearn.linear_model` for one of `sklearn.linear_model._ridge`."""
    parts = str(getattr(thing, "__module__", "")).split(".")
    return ".".join(parts[:2])


def prefixes(path: str) -> Iterator[tuple[str, str]]:
    """(beginning, rest) of a dotted path, the longest beginning first."""
    parts = path.split(".")
    for n in range(len(parts), 1, -1):
        yield ".".join(parts[:n]), ".".join(parts[n:])
