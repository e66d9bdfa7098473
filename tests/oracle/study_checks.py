"""What a study says, read against itself: every sentence, interval and figure must tell the same story.

`contradictions(result)` returns sentences, one for each place where a report disagrees with itself; none is the aim.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from html import unescape
from itertools import combinations
from typing import Any

from suffice.study import StudyResult
from suffice.study.sections import plain

HEDGES = re.compile(
    r"within chance|could be chance|may be chance|not known|not settled|same loss|(do|does|did) not (tell|settle|show)"
    r"|cannot tell|not told|no evidence|not been shown|none of|not enough|too few|undecided|unclear|neither",
    re.IGNORECASE,
)
NOT_NUMBERS = re.compile(r"(?<![\w'])(nan|inf|None|NaN|True|False)(?![\w']|\s+of)")
PRINTED_FROM_ZERO = re.compile(r"interval [−-]?0(\.0*)?(\s?%)? to")
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
LOSSES_FROM_ZERO = ("squared", "log loss", "deviance", "error")


def contradictions(result: StudyResult, pages: bool = True) -> list[str]:
    """Everything in which the report contradicts itself; `pages` reads the Markdown and the HTML too."""
    if result.comparison is None:
        return [] if not getattr(result, "claims", ()) else ["There are claims without a comparison."]
    found = [*of_claims(result), *of_comparison(result), *of_answer(result), *of_json(result)]
    return found + ([*of_pages(result)] if pages else [])


def hedges(sentence: str) -> bool:
    """Whether a sentence says that something is not known."""
    return HEDGES.search(sentence) is not None


# -- claims ---------------------------------------------------------------------------------------------------
def of_claims(result: StudyResult) -> Iterator[str]:
    """Each claim by itself, and that there is one for every pair."""
    comparison = result.comparison
    names = [m.name for m in comparison.models]
    pairs = [frozenset((c.better, c.worse)) for c in result.claims]
    for pair in combinations(names, 2):
        if pairs.count(frozenset(pair)) != 1:
            yield f"There are {pairs.count(frozenset(pair))} claims of {pair}."
    if len(pairs) > len(names) * (len(names) - 1) // 2:
        yield f"There are {len(pairs)} claims of {len(names)} models."
    for claim in result.claims:
        at = f"{claim.better} < {claim.worse}"
        yield from (f"{at}: {said}" for said in of_one_claim(claim, comparison))


def of_one_claim(claim: Any, comparison: Any) -> Iterator[str]:
    """Interval, p-value, verdict and sentence of one claim."""
    level = 1 - comparison.confidence
    if not claim.difference >= 0:
        yield f"the difference {claim.difference} is below 0"
    if claim.against_baseline != (comparison.baseline in (claim.better, claim.worse)):
        yield f"against_baseline is {claim.against_baseline}"
    if not (isinstance(claim.units, int) and claim.units > 0 and claim.unit):
        yield f"{claim.units!r} {claim.unit!r} were counted"
    yield from of_interval(claim, level)
    if claim.p_value is not None and claim.claimed != (claim.p_value <= level):
        yield f"claimed is {claim.claimed} at p = {claim.p_value}"
    if claim.claimed == hedges(claim.sentence):
        yield f"claimed is {claim.claimed}, the sentence says: {claim.sentence}"
    if claim.claimed and PRINTED_FROM_ZERO.search(claim.sentence):
        yield f"the printed interval begins at 0: {claim.sentence}"
    if NOT_NUMBERS.search(claim.sentence):
        yield f"the sentence holds no number: {claim.sentence}"


def of_interval(claim: Any, level: float) -> Iterator[str]:
    """An interval excludes 0 exactly when the difference is claimed, and holds the difference."""
    if claim.interval is None:
        if claim.claimed and claim.p_value is None:
            yield "claimed without an interval and a p-value"
        return
    low, high = claim.interval
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        yield f"the interval is {claim.interval}"
    if claim.claimed != (low > 0):
        yield f"claimed is {claim.claimed} with the interval {low:.4g} to {high:.4g} (p = {claim.p_value})"
    slack = 1e-9 * max(abs(low), abs(high), claim.difference)
    if not low - slack <= claim.difference <= high + slack:
        yield f"the difference {claim.difference:.4g} is outside {low:.4g} to {high:.4g}"


# -- the comparison -------------------------------------------------------------------------------------------
def of_comparison(result: StudyResult) -> Iterator[str]:
    """The rows of the table against the claims and against each other."""
    comparison = result.comparison
    baseline = comparison.of(comparison.baseline)
    beats = against(result, comparison.best, comparison.baseline)
    if comparison.proven != (beats is not None and beats.claimed and beats.better == comparison.best):
        yield f"proven is {comparison.proven}, the claim of {comparison.best} is {beats}"
    ours = [m.estimate for m in comparison.models if m.kind == "model"]
    if comparison.of(comparison.lowest).estimate > min(ours):
        yield f"{comparison.lowest} is said to have the lowest loss"
    if gains(result) and not comparison.proven:
        yield f"proven is False, and this is claimed: {gains(result)[0].sentence}"
    for row in comparison.models:
        yield from (f"{row.name}: {said}" for said in of_row(row, baseline, comparison, result))


def of_row(row: Any, baseline: Any, comparison: Any, result: StudyResult) -> Iterator[str]:
    """One model: its loss, interval and gain, and its claims."""
    if not math.isfinite(row.estimate):
        yield f"the loss is {row.estimate}"
    if row.interval is not None and not row.interval[0] <= row.estimate <= row.interval[1]:
        yield f"the loss {row.estimate:.4g} is outside its interval {row.interval}"
    from_zero = any(word in comparison.loss_words for word in LOSSES_FROM_ZERO)
    if from_zero and (row.estimate < 0 or (row.interval is not None and row.interval[0] < 0)):
        yield f"a {comparison.loss_words} below 0: {row.estimate:.4g}, {row.interval}"
    if baseline.estimate > 0 and abs(row.gain - (1 - row.estimate / baseline.estimate)) > 1e-6 * max(
        1, abs(row.gain)
    ):
        yield f"a gain of {row.gain:.4g} at losses of {row.estimate:.4g} and {baseline.estimate:.4g}"
    for other, claim in ((comparison.baseline, row.to_baseline), (comparison.best, row.to_best)):
        if claim != (None if other == row.name else against(result, row.name, other)):
            yield f"its claim with {other} is another in the table"
    to_baseline = row.to_baseline
    if to_baseline is not None and to_baseline.claimed and (to_baseline.better == row.name) != (row.gain > 0):
        yield f"a gain of {row.gain:.1%} where this is claimed: {to_baseline.sentence}"


def gains(result: StudyResult) -> list[Any]:
    """The claims that one of our models is better than the baseline."""
    comparison = result.comparison
    ours = {m.name for m in comparison.models if m.kind == "model"}
    return [c for c in result.claims if c.against_baseline and c.claimed and c.better in ours]


def against(result: StudyResult, first: str, second: str) -> Any:
    """The claim about two models; None for one and itself."""
    return next((c for c in result.claims if {c.better, c.worse} == {first, second}), None)


# -- the answer -----------------------------------------------------------------------------------------------
def of_answer(result: StudyResult) -> Iterator[str]:
    """The headline, its sentences and its tiles."""
    answer, comparison = result.answer, result.comparison
    best = comparison.of(comparison.best)
    said = [answer.headline, *answer.sentences, *comparison.sentences]
    if hedges(answer.headline) == comparison.proven:
        yield f"proven is {comparison.proven}, the headline says: {answer.headline}"
    for text in (*said, *(f"{t.value} {t.name} {t.detail}" for t in answer.tiles)):
        if NOT_NUMBERS.search(text):
            yield f"no number: {text}"
    saved = [(share, text) for text in said_of_answer(answer) for share in savings(text)]
    for share, text in saved:
        if share > 50 and not comparison.proven and not explained(said):
            yield f"a saving of {share:g} % is printed beside {answer.headline!r} and not explained: {text}"
    for text in (text for text in said if re.search("sav(es|ed|ing)", text)):
        if any(share > 100 for share in savings(text)):
            yield f"a saving above 100 %: {text}"
    for tile in answer.tiles:
        yield from of_tile(tile, best)


def said_of_answer(answer: Any) -> list[str]:
    """Everything printed at the top."""
    return [answer.headline, *answer.sentences, *(f"{t.value} {t.name} {t.detail}" for t in answer.tiles)]


def savings(text: str) -> list[float]:
    """Percentages in a text about a saving or a gain."""
    if not re.search(r"saved|saving|gain|less|lower|baseline's", text) or "inside" in text:
        return []
    found = re.findall(r"(−?\d+(?:\.\d+)?)\s*%(?! interval)", text)
    return [float(value.replace("−", "-")) for value in found]


def explained(said: list[str]) -> bool:
    """Whether some sentence gives a p-value or an interval, and what was counted."""
    return any(re.search(r"p [=<>] ?0|interval", text) and re.search(r"\d", text) for text in said)


def of_tile(tile: Any, best: Any) -> Iterator[str]:
    """A saving on a tile is the gain in the table."""
    if not re.search("saved|less|lower", tile.name):
        return
    for share in re.findall(r"(−?\d+(?:\.\d+)?)\s*%", tile.value):
        share = share.replace("−", "-")
        digits = len(share.partition(".")[2])
        if abs(float(share) - 100 * best.gain) > 0.51 * 10**-digits:
            yield f"the tile says {tile.value} {tile.name}, the table {100 * best.gain:.3g} %"


# -- JSON and pages --------------------------------------------------------------------------------------------
def of_json(result: StudyResult) -> Iterator[str]:
    """The same claims in result.json, as strict JSON."""
    held = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    if held.get("claims") != json.loads(json.dumps(plain(result.claims))):
        yield "result.json holds other claims"
    if held["answer"]["headline"] != result.answer.headline:
        yield "result.json has another headline"


def of_pages(result: StudyResult) -> Iterator[str]:
    """Markdown and HTML say the headline, the sentences of the answer and every model with its loss."""
    markdown, page = (
        result.to_markdown(),
        unescape(re.sub(r"(?s)<(script|style).*?</\1>|<[^>]+>", " ", result.to_html())),
    )
    for kind, words in (("Markdown", unmarked(markdown)), ("HTML", unmarked(page))):
        for said in (
            result.answer.headline,
            *result.answer.sentences,
            *(m.title for m in result.comparison.models),
        ):
            if unmarked(said) not in words:
                yield f"the {kind} lacks: {said}"
    lowest = result.comparison.of(result.comparison.lowest).title
    for title in re.findall(r"Lowest among our own: (.+?), ", markdown):
        if title != lowest:
            yield f"a figure has {title} as the model of lowest loss"
    yield from of_table(result, markdown)


def of_table(result: StudyResult, markdown: str) -> Iterator[str]:
    """The losses in the printed table are those of the record."""
    table = markdown.partition("## The comparison")[2]
    for model in result.comparison.models:
        found = re.search(rf"^\| {re.escape(model.title)}(?: \([^|]*\))? \| ([^|]+) \|", table, re.MULTILINE)
        if found and not math.isclose(read_number(found[1]), model.estimate, rel_tol=2e-3):
            yield f"the table prints {found[1]} for {model.title}, the record has {model.estimate}"


def read_number(text: str) -> float:
    """A number as it is printed: 20 190 or 20,190, −1.5, 2.3 × 10⁻⁸."""
    plain_text = re.sub(r"[\s\u202f,\\]", "", text).replace("−", "-").translate(SUPERSCRIPTS)
    return float(plain_text.replace("×10", "e"))


def unmarked(text: str) -> str:
    """Letters and digits alone, so that escapes and line breaks do not matter."""
    return re.sub(r"[\W_]+", " ", text)
