"""Shared by the tidy tests: a maker of small trees."""

from pathlib import Path

import pytest


@pytest.fixture
def plant(tmp_path: Path):
    """plant({"core/http/a.h": "text", ...}) writes the files below a fresh directory and returns it."""

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write
