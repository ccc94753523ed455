"""What the strict rooms do without, and how long a file may be."""

import re
import tomllib
from pathlib import Path

from tidy import tree

LONG_LINES = 500  # above: an error
AIM_LINES = 400  # above: a warning

# In code without comments and strings. Placement new is no allocation; `operator new` is how a coroutine's frame gets
# its memory from an arena. An allocation that may fail has no make_unique: it goes straight into a unique_ptr.
_OWNED_NEW = re.compile(r"\bunique_ptr<[^;]*>\s*\w*\s*[({]\s*new \(std::nothrow\)")
_BANNED = [
    (re.compile(r"\b(?:std::)?(?:shared_ptr|make_shared|weak_ptr|enable_shared_from_this)\b"), "shared ownership"),
    (re.compile(r"\bstd::(?:move_only_)?function\b"), "std::function"),
    (re.compile(r"(?<!operator )\bnew\b(?!\s*\((?!\s*std::nothrow))"), "naked new"),
    (re.compile(r"(?<!operator )(?<!= )\bdelete\b"), "naked delete"),
    (re.compile(r"\bthrow\b"), "throw"),
]
_INCLUDE_LINE = re.compile(r"^[ \t]*#[ \t]*include.*$", re.M)


def banned(root: Path, rooms: list[str]) -> list[str]:
    """Uses of what the strict rooms may not use."""
    found = []
    for path in tree.sources(root, *(f"core/{room}" for room in rooms)):
        code = re.sub(r"\s*=\s*delete\b", "= delete", tree.code_only((root / path).read_text()))
        code = _OWNED_NEW.sub("", _INCLUDE_LINE.sub("", code))
        for number, line in enumerate(code.splitlines(), 1):
            found += [f"{path}:{number}: {what}" for pattern, what in _BANNED if pattern.search(line)]
    return found


def load_long_files(path: Path | None = None) -> dict[str, str]:
    """The files that may be long, each with the reason."""
    with open(path or Path(__file__).with_name("long_files.toml"), "rb") as file:
        return tomllib.load(file)["files"]


def length(root: Path, allowed: dict[str, str]) -> tuple[list[str], list[str]]:
    """(errors, warnings): files above the limits, and entries of the allow list that have no use or no reason."""
    errors, warnings = [], []
    used = set()
    for path in tree.sources(root, "core", "platform"):
        lines = (root / path).read_text().count("\n")
        if lines > LONG_LINES and path.as_posix() in allowed:
            used.add(path.as_posix())
        elif lines > LONG_LINES:
            errors.append(f"{path}: {lines} lines, more than {LONG_LINES}: two rooms would be clearer")
        elif lines > AIM_LINES:
            warnings.append(f"{path}: {lines} lines, the aim is {AIM_LINES}")
    errors += [f"long_files.toml: {name} is not longer than {LONG_LINES} lines (any more)" for name in allowed if name not in used]
    errors += [f"long_files.toml: {name} has no reason" for name, reason in allowed.items() if not reason.strip()]
    return errors, warnings
