"""What files call classes that have another name by now: older files load, and older versions read newer ones."""

from __future__ import annotations

STORED_AS: dict[str, str] = {
    "cli.GalleryScript": "cli.Script",
}
