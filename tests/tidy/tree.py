"""The files of a tree and what the other rules read from them. No rule lives here."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

CPP = (".h", ".cpp")

# Comments, raw strings, strings, characters; in this order, so that "//" in a string is no comment. A quote after a digit
# or letter is a digit separator (1'000), unless the letters are a literal's prefix.
_LITERAL = re.compile(
    r"""//[^\n]*
    |/\*.*?\*/
    |R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"
    |"(?:\\.|[^"\\\n])*"
    |\b(?:u8|[uUL])'(?:\\.|[^'\\\n])+'
    |(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'""",
    re.S | re.X,
)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.M)


@dataclass(frozen=True)
class Include:
    """One #include line: the line's number, the name, and whether it was written in quotes."""

    line: int
    name: str
    quoted: bool


def repository() -> Path:
    """The root of the repository that these tests stand in."""
    return Path(__file__).resolve().parents[2]


def sources(root: Path, *places: str) -> list[Path]:
    """All C++ files below the places, relative to root, sorted."""
    found = []
    for place in places:
        found += [path.relative_to(root) for path in (root / place).rglob("*") if path.suffix in CPP and path.is_file()]
    return sorted(found)


def tracked(root: Path) -> list[Path]:
    """The files that git tracks, relative to root; in a tree without git all files."""
    if not (root / ".git").exists():
        return sorted(path.relative_to(root) for path in root.rglob("*") if path.is_file())
    # safe.directory: root may test a clone that belongs to a user.
    command = ["git", "-c", f"safe.directory={root}", "ls-files", "-z"]
    names = subprocess.run(command, cwd=root, check=True, capture_output=True).stdout.decode().split("\0")
    return sorted(Path(name) for name in names if name and (root / name).is_file())


def text_of(path: Path) -> str | None:
    """The file's text, or None for a binary file."""
    data = path.read_bytes()
    if b"\0" in data:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def without_comments(text: str) -> str:
    """C++ text with comments blanked; lines and columns stay."""
    return _LITERAL.sub(lambda match: _blank(match[0]) if match[0].startswith(("//", "/*")) else match[0], text)


def code_only(text: str) -> str:
    """C++ text with comments, strings and characters blanked; lines and columns stay."""
    return _LITERAL.sub(lambda match: _blank(match[0]), text)


def includes(path: Path) -> list[Include]:
    """The includes of a C++ file, in order."""
    text = without_comments(path.read_text())
    found = []
    for match in _INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        found.append(Include(line, match[1] or match[2], match[1] is not None))
    return found
