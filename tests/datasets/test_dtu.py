"""The recorded table: its times, and what makes a recording complete."""

from __future__ import annotations

import numpy as np
import pytest

from suffice._core.errors import InvalidInput
from suffice.datasets.dtu import Recording, traffic


def test_traffic_is_recorded_every_twenty_minutes_of_a_friday():
    data = traffic()
    assert np.all(np.diff(data.time) == np.timedelta64(20, "m"))
    assert data.time[0].item().strftime("%A %H:%M, %d %B %Y") == "Friday 13:20, 06 September 2019"
    assert data.time[-1].item().strftime("%H:%M") == "15:20"
    np.testing.assert_array_equal(data.X.sum(axis=0), [4, 174.0, 1239, 1781])
    assert data.y.sum() == 1301


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_frame_has_the_time_first_and_the_target_last(kind):
    data = traffic()
    frame = data.frame(kind)
    assert list(frame.columns) == ["time", "rain", "temperature", "station", "cars", "people"]
    assert [t.isoformat(timespec="minutes") for t in frame["time"].to_list()] == [str(t) for t in data.time]
    np.testing.assert_array_equal(frame["people"].to_numpy(), data.y)


def test_recordings_are_values():
    assert traffic() == traffic()
    assert hash(traffic()) == hash(traffic())
    with pytest.raises(ValueError, match="read-only"):
        traffic().time[0] = np.datetime64("2020-01-01")
    assert "7 × 4: rain, temperature, station, cars → people" in repr(traffic())


def test_every_row_has_its_time():
    with pytest.raises(InvalidInput, match=r"time must have one entry per row \(3\); got \(2,\)"):
        Recording(np.zeros((3, 1)), np.zeros(3), ("a",), "y", "here", "none", np.arange(2))
