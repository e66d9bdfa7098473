"""What a transformer tells scikit-learn about its output."""

from __future__ import annotations

from typing import Any


class KeepsPrecision:
    """Columns of float32 stay so; stands before the classes of scikit-learn, which say the opposite."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
