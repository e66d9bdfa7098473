"""The kinds of cases, by the name that a case begins with."""

from __future__ import annotations

from collections.abc import Callable

from .forms import forms
from .laws import constant, duplicates, order, units
from .pieces import pieces
from .pipelines import pipelines
from .references import reference
from .roads import layers, one_pass, path, search, selection, validation
from .texts import texts
from .trial import Trial

KINDS: dict[str, Callable[[Trial], None]] = {
    "validation": validation,
    "path": path,
    "search": search,
    "layers": layers,
    "selection": selection,
    "engine": one_pass,
    "pipeline": pipelines,
    "pieces": pieces,
    "forms": forms,
    "units": units,
    "order": order,
    "duplicates": duplicates,
    "constant": constant,
    "reference": reference,
    "texts": texts,
}
