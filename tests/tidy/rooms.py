"""Layering and confinement: who includes what, checked against rooms.toml.

Run `python3 tests/tidy/rooms.py` to print the table as docs/architecture.md must show it.
"""

import sys
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

if __package__ in (None, ""):  # run as a program
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tidy import tree

TABLE_HEAD = "| room | may include |"


def load(path: Path | None = None) -> dict:
    """The tables of rooms.toml."""
    with open(path or Path(__file__).with_name("rooms.toml"), "rb") as file:
        return tomllib.load(file)


def _below(name: str, place: str) -> bool:
    """Whether the path is the place, lies below it, or fits it as a pattern (with anything below)."""
    return fnmatchcase(name, place) or fnmatchcase(name, place + "/*")


def _inside(path: Path) -> str:
    """A path as rooms.toml writes it: below core/ without that prefix, else from the root."""
    name = path.as_posix()
    return name.removeprefix("core/")


def _room_of(name: str, rooms: list[dict]) -> dict | None:
    fitting = [room for room in rooms if _below(name, room["name"])]
    return max(fitting, key=lambda room: len(room["name"]), default=None)


def _home(name: str) -> str:
    """The part of a path that is one's own: http for http/h1/x.h, platform/linux for platform/linux/x.h."""
    parts = name.split("/")
    return "/".join(parts[:2] if parts[0] == "platform" else parts[:1])


def _may(room: dict, target: str) -> bool:
    for entry in room["may"]:
        if entry == "*":
            if not target.startswith("platform/"):
                return True
        elif _below(target, entry):
            return True
    return False


def resolve(root: Path, name: str) -> str | None:
    """Where a quoted include leads, as rooms.toml writes paths; None when it leads nowhere in core/ or platform/."""
    if (root / "core" / name).is_file():
        return name
    if name.startswith("platform/") and (root / name).is_file():
        return name
    return None


def layering(root: Path, table: dict) -> list[str]:
    """Includes between rooms that the table does not name, and includes that are not written from a root."""
    found = []
    for path in tree.sources(root, "core", "platform"):
        own = _inside(path)
        room = _room_of(own, table["room"])
        if room is None:
            found.append(f"{path}: no room of rooms.toml has this place")
            continue
        for include in tree.includes(root / path):
            if not include.quoted:
                continue
            target = resolve(root, include.name)
            if target is None:
                found.append(f'{path}:{include.line}: "{include.name}" is not a file below core/ or platform/ (write it from there)')
            elif _home(target) != _home(own) and not _may(room, target):
                found.append(f'{path}:{include.line}: {room["name"]} may not include "{include.name}"')
    return found


def confinement(root: Path, table: dict) -> list[str]:
    """Headers of libraries and of the system outside the places that the table gives them."""
    found = []
    for path in tree.sources(root, "core", "platform"):
        for include in tree.includes(root / path):
            if include.quoted and resolve(root, include.name):
                continue
            rule = _rule_for(include.name, table["confined"])
            if rule and not any(_below(path.as_posix(), place) for place in rule["only"]):
                found.append(f"{path}:{include.line}: <{include.name}> belongs in {', '.join(rule['only'])}: {rule['why']}")
    return found


def _rule_for(name: str, rules: list[dict]) -> dict | None:
    for rule in rules:
        if any(fnmatchcase(name, pattern) for pattern in rule["headers"]):
            return rule
    return None


def rendered(table: dict) -> list[str]:
    """The table of docs/architecture.md, line by line."""
    def shown(name: str) -> str:
        return "everything in core" if name == "*" else f"`{name}`" if "*" in name else name

    lines = [TABLE_HEAD, "|---|---|"]
    for room in table["room"]:
        lines.append(f"| {shown(room['name'])} | {', '.join(map(shown, room['may'])) or 'the standard library'} |")
    return lines


def documented(text: str, table: dict) -> list[str]:
    """Differences between rooms.toml and the table in the text of docs/architecture.md."""
    lines = [line.strip() for line in text.splitlines()]
    wanted = rendered(table)
    if TABLE_HEAD not in lines:
        return [f"no table with the head {TABLE_HEAD}"]
    start = lines.index(TABLE_HEAD)
    shown = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        shown.append(line)
    return [f"not in the document: {line}" for line in wanted[2:] if line not in shown[2:]] + [
        f"not in rooms.toml: {line}" for line in shown[2:] if line not in wanted[2:]
    ]


if __name__ == "__main__":
    print("\n".join(rendered(load())))
