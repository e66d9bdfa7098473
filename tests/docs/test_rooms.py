"""Every room says what it is for, on a page of its own and in the table of ARCHITECTURE.md."""

from __future__ import annotations

import re
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


ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs" / "inside").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_links_lead_somewhere_and_files_that_are_named_exist(page):
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        assert "://" in link or (page.parent / link).exists(), link
    known = {p.relative_to(ROOT).as_posix() for p in ROOT.glob("src/suffice/**/*.py")}
    known |= {p.relative_to(ROOT).as_posix() for p in ROOT.glob("tests/**/*.py")}
    for named in set(re.findall(r"`([\w/]+\.py)`", text)):
        assert any(f"/{path}".endswith(f"/{named}") for path in known), f"{page.name} names {named}"


def test_the_tour_leads_to_every_note():
    tour = PAGES[0].read_text(encoding="utf-8")
    assert len(tour.splitlines()) <= 120
    for note in PAGES[1:]:
        assert f"(docs/inside/{note.name})" in tour
