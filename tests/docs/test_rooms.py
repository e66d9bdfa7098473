"""Every room says what it is for, on a page of its own and in the table of ARCHITECTURE.md."""

from __future__ import annotations

from pathlib import Path

import pytest

import suffice

SRC = Path(suffice.__file__).parent
ROOMS = sorted(p.parent for p in SRC.glob("*/__init__.py"))
LARGEST = 40  # files directly in one folder


@pytest.mark.parametrize("room", ROOMS, ids=lambda p: p.name)
def test_a_room_has_a_short_page(room):
    lines = (room / "README.md").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ")
    assert 4 <= len(lines) <= 16


@pytest.mark.parametrize("room", ROOMS, ids=lambda p: p.name)
def test_the_table_of_rooms_has_it(room):
    page = (Path(__file__).parents[2] / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = page.partition("## Rooms")[2].partition("\n## ")[0]
    assert f"`{room.name}/`" in table


def test_no_folder_is_crowded():
    folders = {p.parent for p in SRC.rglob("*.py")}
    crowded = {str(f.relative_to(SRC)): n for f in folders if (n := len(list(f.glob("*.py")))) > LARGEST}
    assert not crowded
