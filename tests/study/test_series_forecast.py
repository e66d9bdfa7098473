"""What comes next in a series: bands that hold what they promise, in words, in numbers and as a picture."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from suffice import cli
from suffice.study import Study
from suffice.study.models import CANDIDATES
from suffice.study.options import Options
from suffice.study.page import html, markdown, series_figures
from suffice.study.page.figures import MAKERS
from suffice.study.reading.problem import make_problem
from suffice.study.reading.series import blocks_after
from suffice.study.reading.source import read
from suffice.study.steps import forecast_steps
from suffice.study.steps.forecast import forecast_section
from suffice.study.steps.validate import validate_candidate

pytestmark = pytest.mark.slow

LINEAR = next(c for c in CANDIDATES if c.name == "linear")


def forecast(table, candidate=LINEAR, **options):
    """The forecast alone, by one model."""
    given = Options("y", **{"time": "t", "effort": "quick", **options})
    problem = make_problem(read(table), given)
    trial = validate_candidate(candidate, problem, given)
    return forecast_section(trial, {}, problem, given), problem


def ar(n, weight, seed):
    rng = np.random.default_rng(seed)
    y = np.zeros(n + 50)
    for t in range(1, n + 50):
        y[t] = weight * y[t - 1] + rng.normal()
    return y[50:]


@pytest.fixture(scope="module")
def study():
    """Years of a series that swings, as sunspots do."""
    rng = np.random.default_rng(0)
    y = np.abs(40 + 40 * np.sin(2 * np.pi * np.arange(150) / 11) + 10 * rng.normal(size=150)).round(1)
    y[:3] = 0.0
    return Study(
        {"YEAR": np.arange(1850, 2000), "spots": y}, "spots", time="YEAR", models=["linear"], references=False
    ).run()


def test_the_forecast_begins_after_the_last_row_and_ends_after_two_seasons_or_where_rows_end(study):
    f = study.forecast
    line = f.lines[0]
    assert f.unit == "year"
    assert line.next_times[:2] == ("2000", "2001")
    assert len(line.next_times) == len(f.steps) == len(line.next_predicted) >= 11
    assert line.times[-1] == "1999"
    assert len(line.observed) == 150


def test_the_first_step_is_what_the_model_predicts_for_the_next_row(study):
    t, y = study.source.columns["YEAR"], study.source.columns["spots"]
    found = study.model.predict({"YEAR": [*t, 2000], "spots": [*y, np.nan]})
    assert study.forecast.lines[0].next_predicted[0] == pytest.approx(found[-1], rel=1e-9)


def test_bands_never_narrow_and_stay_above_zero_where_nothing_is_below(study):
    line = study.forecast.lines[0]
    above = line.next_high - line.next_predicted
    assert np.all(np.diff(above) >= -1e-9)
    assert line.next_low.min() == 0.0
    assert np.all(line.next_low <= line.next_predicted)
    assert np.all(np.array(study.forecast.widen) >= 1.0)


def test_rows_not_seen_are_those_of_the_predictive_section(study):
    f, p = study.forecast, study.predictive
    assert f.coverage == pytest.approx(p.coverage)
    line = f.lines[0]
    seen = np.isfinite(line.predicted)
    assert seen.sum() == p.n == f.n
    inside = (line.observed >= line.low) & (line.observed <= line.high)
    assert inside[seen].mean() == pytest.approx(f.coverage)
    assert any(f"of {f.n} rows not seen lie inside their 95" in said for said in f.sentences)


def test_the_forecast_is_told_drawn_and_written(study):
    figure = series_figures.forecast(study)
    drawn = {"forecast": figure}
    assert series_figures.forecast in MAKERS
    assert "2000: " in figure.file()
    assert "forecast" in figure.caption
    page, text = html.render(study, drawn), markdown.render(study, drawn)
    tree = json.loads(json.dumps(study.to_dict()))
    assert 'id="forecast"' in page
    assert "from its own past" in " ".join(page.split())
    assert "figures/forecast.svg" in text
    assert "| 2000 |" in text
    assert tree["forecast"]["lines"][0]["next_times"][0] == "2000"
    assert study.comparison.splits.endswith("each predicted one year ahead from what came before it")


def test_a_horizon_is_forecast_to_its_end_and_a_walk_is_less_and_less_known():
    y = np.cumsum(np.random.default_rng(1).normal(size=200))
    f, _ = forecast({"t": np.arange(200), "y": y}, horizon=14)
    assert f.steps == tuple(range(1, 15))
    wide = f.lines[0].next_high - f.lines[0].next_low
    assert wide[8] > 1.8 * wide[0]


def test_a_model_of_a_step_is_tried_without_what_is_not_known_yet(monkeypatch):
    asked = []

    def spy(first, n, k, padding, series):
        asked.append(padding)
        return blocks_after(first, n, k, padding, series)

    monkeypatch.setattr(forecast_steps, "blocks_after", spy)
    f, _ = forecast({"t": np.arange(100), "y": ar(100, 0.6, 5)})
    assert asked == [k - 1 for k in f.steps]


def test_a_series_with_gaps_is_forecast_from_its_last_known_row():
    y, t = ar(120, 0.7, 2), np.arange(120)
    y[[60, 115, 118, 119]] = np.nan
    f, _ = forecast({"t": t, "y": y})
    line = f.lines[0]
    assert line.times[-1] == "117"
    assert line.next_times[0] == "118"
    assert np.isfinite(line.next_predicted).all()


def test_every_series_of_several_is_forecast_with_other_columns_as_known_then():
    rng = np.random.default_rng(3)
    y = np.cumsum(rng.normal(size=(60, 4)), axis=0) + 50 * np.arange(4)
    table = {"t": np.repeat(np.arange(60), 4), "who": np.tile(list("abcd"), 60), "x": rng.normal(size=240)}
    f, p = forecast({**table, "y": y.ravel()}, group="who")
    assert sorted(line.name for line in f.lines) == list("abcd")
    assert "x" in p.names
    for line in f.lines:
        assert abs(line.next_predicted[0] - line.observed[-1]) < 5
        assert len(line.observed) == 60
    assert "one of 4 series" in f.sentences[0]
    assert f.sentences[1].startswith("The forecast does without what other columns hold")


def test_bands_of_counts_end_at_whole_numbers_and_follow_the_level():
    rng = np.random.default_rng(6)
    months = (np.datetime64("2000-01", "M") + np.arange(150)).astype(str).astype(object)
    y = rng.poisson(np.exp(1.5 + np.sin(np.arange(150) * 2 * np.pi / 12)))
    poisson = next(c for c in CANDIDATES if c.name == "poisson")
    f, p = forecast({"t": months, "y": y}, poisson)
    assert p.task.name == "counts"
    line = f.lines[0]
    assert np.all(line.next_low == np.round(line.next_low))
    assert np.all(line.next_high == np.round(line.next_high))
    high, low = np.argmax(line.next_predicted), np.argmin(line.next_predicted)
    wide = line.next_high - line.next_low
    assert wide[high] > 1.5 * wide[low]


def test_what_cannot_be_forecast_is_said_and_what_is_no_series_has_no_forecast():
    jump = np.r_[np.zeros(50), np.ones(50)] + 1e-9 * np.arange(100)
    f, _ = forecast({"t": np.arange(100), "y": np.where(np.arange(100) < 50, 0.0, 1.0)}, task="regression")
    assert f.steps == () or np.isfinite(f.lines[0].next_predicted).all()
    assert any(said.startswith(("There is no forecast", "The forecast of y")) for said in f.sentences)
    none, p = forecast({"t": np.arange(100), "x": jump, "y": ar(100, 0.5, 4)}, horizon=0)
    assert none is None
    assert p.series is None


def test_the_command_line_takes_a_horizon_and_prints_the_forecast(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{1900 + i},{value:.3f}\n" for i, value in enumerate(ar(60, 0.6, 7)))
    (tmp_path / "table.csv").write_text("YEAR,y\n" + rows)
    said = ["study", "table.csv", "--target", "y", "--horizon", "2", "--quick", "--models", "linear"]
    refused = CliRunner().invoke(cli.application(), said)
    assert refused.exit_code == 2
    assert "horizon is counted in steps of time" in refused.output
    done = CliRunner().invoke(cli.application(), [*said, "--time", "YEAR"])
    assert done.exit_code == 0
    assert "The forecast of y is" in " ".join(done.output.split())
    script = json.loads((tmp_path / "suffice-study" / "result.json").read_text())["appendix"]["script"]
    assert "horizon=2" in script


@pytest.mark.long
@pytest.mark.parametrize("kind", ["ar", "walk", "season"])
def test_bands_hold_what_they_promise(kind):
    """Of 100 series, steps 1 to 10 lie in their bands of 95 % in 91 % to 99.5 %: four standard errors and some bias."""
    hits = []
    for seed in range(100):
        rng, n = np.random.default_rng(seed), 110
        y = ar(n, 0.7, seed)
        if kind == "walk":
            y = np.cumsum(rng.normal(size=n))
        if kind == "season":
            y = y + 3 * np.sin(2 * np.pi * np.arange(n) / 12)
        t = (np.datetime64("2000-01", "M") + np.arange(n)).astype(str).astype(object)
        f, _ = forecast({"t": t[:100], "y": y[:100]})
        line, k = f.lines[0], min(10, len(f.steps))
        coming = y[100 : 100 + k]
        hits += ((coming >= line.next_low[:k]) & (coming <= line.next_high[:k])).tolist()
    assert 0.91 <= np.mean(hits) <= 0.995
