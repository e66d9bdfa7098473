"""Tables that nobody would want: a seed gives a name of a file, its bytes, and the column to ask for.

Odd names and cells (control characters, several scripts, half characters, markup, formulas), columns without
information or of many kinds, numbers at the edge of floats, files in other encodings, with gaps, quotes and rows of
other lengths. Half of the tables have odd names alone, so that what follows reading is met too.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable
from dataclasses import dataclass

NAMES = [
    "x", "price", "größe", "naïve café", "温度", "возраст", "المعدل", "🙂", "a\x1b[31mred", "bell\x07", "nul\x00l",
    "tab\tinside", "two\nlines", "\u202eright to left", "\u2028", "\ufeffmark", "zero\u200bwidth", "", "   ", "x" * 300,
    "<script>alert(1)</script>", "<b>&amp;'\"", "=1+1", "$\\frac{a}{b}$", "$", "%s %d", "{0} {name}", "a,b", 'say "x"',
    "C:\\n", "[red]x[/red]", "[/]", "-1", "12.5", "target", "y", "year", "id", "\x7f\x9b1m", "\r", "e\u0301", "ﬁ", "−5",
    "]]>", "--", "null", "nan", "True", "\U0001f469\u200d\U0001f4bb", "½ μ²", "\u0085", "\ufffe", "‰ € œ",
]  # fmt: skip
WORDS = [
    "", "yes", "no", "NA", "nan", "inf", "-inf", "1e400", "0x1F", "1,234.5", "1.234,5", "12%", "€ 5", "2020-01-01",
    "2020-13-40", "01/02/03", "true", "é", "日本", "\x1b]0;title\x07", "<img src=x>", "=cmd()", "00012", "9" * 40,
    "a" * 500, "\u202eabc", "\x00", "\x08", "\ud800", " padded ", "1_000", "١٢٣", "½", "multi\nline", "'", '"', "\\",
    "\u2028", "🙂",
]  # fmt: skip
Column = Callable[[random.Random, int], list[str]]


def numbers(rng: random.Random, n: int) -> list[str]:
    scale = rng.choice([1.0, 1e-300, 1e300, 1e15, 1e-8])
    return [f"{rng.gauss(0, 1) * scale:.6g}" for _ in range(n)]


def plain(rng: random.Random, n: int) -> list[str]:
    return [f"{rng.gauss(3, 1):.4g}" for _ in range(n)]


def groups(rng: random.Random, n: int) -> list[str]:
    return [rng.choice(["größe", "b\x1b[1m", "<i>"]) for _ in range(n)]


def whole(rng: random.Random, n: int) -> list[str]:
    top = rng.choice([2, 5, 100, 2**53 + 3, 2**64 + 5])
    return [str(rng.randrange(top)) for _ in range(n)]


def gaps(rng: random.Random, n: int) -> list[str]:
    return [rng.choice(["", "", "NA", f"{rng.gauss(5, 2):.3f}"]) for _ in range(n)]


def constant(rng: random.Random, n: int) -> list[str]:
    return [rng.choice(WORDS[1:])] * n


def labels(rng: random.Random, n: int) -> list[str]:
    known = rng.sample(WORDS, rng.randrange(2, 5))
    return [rng.choice(known) for _ in range(n)]


def anything(rng: random.Random, n: int) -> list[str]:
    return [rng.choice(WORDS) for _ in range(n)]


def times(rng: random.Random, n: int) -> list[str]:
    start = rng.randrange(1, 9000)
    return [f"{start + i // 12:04d}-{i % 12 + 1:02d}-01" for i in range(n)]


def rare(rng: random.Random, n: int) -> list[str]:
    return ["rare" if i == n // 2 else "usual" for i in range(n)]


def different(rng: random.Random, n: int) -> list[str]:
    return [f"id-{rng.random():.9f}" for _ in range(n)]


def extreme(rng: random.Random, n: int) -> list[str]:
    return [
        rng.choice(["1e308", "-1e308", "5e-324", "0", "-0.0", "1.7976931348623157e308", "3"])
        for _ in range(n)
    ]


COLUMNS: list[Column] = [
    numbers, numbers, numbers, whole, whole, gaps, constant, labels, labels, anything, times, rare, different, extreme,
]  # fmt: skip


@dataclass(frozen=True)
class Hostile:
    """A file, the column to predict, and whether that holds labels."""

    name: str
    content: bytes
    target: str
    labelled: bool = False


def hostile(seed: int) -> Hostile:
    """A table from a seed; the same each time."""
    rng = random.Random(seed)
    tame = rng.random() < 0.5
    n = rng.choice([25, 40, 60] if tame else [0, 1, 2, 3, 8, 25, 40])
    width = rng.choice([2, 3, 4] if tame else [1, 2, 3, 4, 6])
    names = [rng.choice(NAMES) if rng.random() < 0.5 else f"x{j}" for j in range(width)]
    labelled = tame and rng.random() < 0.5
    kinds = [plain] * (width - 1) + [groups if labelled else plain]
    columns = [(kinds[j] if tame else rng.choice(COLUMNS))(rng, n) for j in range(width)]
    out = io.StringIO()
    writer = csv.writer(
        out, delimiter=rng.choice(",,,;\t|"), quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    )
    writer.writerow(names)
    writer.writerows(zip(*columns, strict=True))
    target = names[-1] if tame or rng.random() < 0.9 else rng.choice(NAMES)
    content = out.getvalue().encode("utf-8", "replace") if tame else _spoiled(rng, out.getvalue())
    return Hostile(f"t{seed}.csv", content, target, labelled)


def _spoiled(rng: random.Random, text: str) -> bytes:
    """The text as bytes, one time in three with something wrong with it."""
    encoding = rng.choice(["utf-8"] * 5 + ["latin-1", "cp1252", "utf-16", "utf-8-sig", "utf-16-be"])
    content = text.encode(encoding, errors="surrogatepass" if encoding.startswith("utf") else "replace")
    kind = rng.randrange(18)
    at = rng.randrange(len(content) + 1)
    if kind == 0:
        return content[:at]
    if kind == 1:
        return content[:at] + bytes(rng.randrange(256) for _ in range(8)) + content[at:]
    if kind == 2:
        return content[:at] + b'"' + content[at:]
    if kind == 3:
        return content + b"1,2,3,4,5,6,7,8,9\n"
    if kind == 4:
        return content.replace(b"\r\n", b"\r")
    if kind == 5:
        return b"\n\n" + content
    return content
