"""Rules over texts: names in the documents exist, no marks left behind, no paths of one machine, no fixed sleeps."""

import io
import re
import tokenize
from pathlib import Path

from tidy import tree

# A path in backticks: at least one slash, an ending that our files have (or a closing slash for a directory).
_NAMED = re.compile(r"`((?:[\w.+-]+/)+(?:[\w.+-]+\.(?:h|cpp|py|sh|md|toml|txt|json|cmake|html|css|js|ts|lua|yml|service))?)`")
_CODE = (".h", ".cpp", ".py", ".sh", ".cmake", ".md")
_LINK = re.compile(r"\]\((?!https?://|mailto:|#)([^)\s#]+)(?:#[^)\s]*)?\)")
_FENCE = re.compile(r"^```.*?^```", re.M | re.S)
# Spelled in halves, or this file would break its own rules.
_MARKS = re.compile(r"\b(?:TO" "DO|FIX" "ME|XX" r"X)\b")
_MACHINE = re.compile(r"(?<![\w.~-])/(?:ho" "me|wo" "rk|Us" r"ers)/[\w.-]+")
_SLEEP_CPP = re.compile(r"\b(?:sleep_for|sleep_until|usleep|nanosleep|sleep)\s*\(")
SLEEP_HELPERS = ("tests/lib/wait.py",)


def documents(root: Path) -> list[Path]:
    """The Markdown files that speak of the repository."""
    tops = [Path(name) for name in ("README.md", "CONTRIBUTING.md") if (root / name).is_file()]
    return tops + sorted(path.relative_to(root) for path in (root / "docs").rglob("*.md"))


def _exists(root: Path, document: Path, name: str) -> bool:
    places = (root, root / "core", root / document.parent)
    return any((place / name).exists() for place in places)


def _ours(root: Path, name: str) -> bool:
    """Whether a path speaks of this repository: code by its ending, other files by a first part that exists here."""
    if name.endswith(_CODE):
        return True
    first = name.split("/", 1)[0]
    return (root / first).is_dir() or (root / "core" / first).is_dir()


def names(root: Path) -> list[str]:
    """Files and links in the documents that do not exist. What a build makes (build/...) is not looked for."""
    found = []
    for document in documents(root):
        text = _FENCE.sub(lambda match: re.sub(r"[^\n]", "", match[0]), (root / document).read_text())
        for number, line in enumerate(text.splitlines(), 1):
            for name in _NAMED.findall(line):
                if not name.startswith("build/") and _ours(root, name) and not _exists(root, document, name):
                    found.append(f"{document}:{number}: there is no {name}")
            for target in _LINK.findall(line):
                if not (root / document.parent / target).exists():
                    found.append(f"{document}:{number}: the link to {target} leads nowhere")
    return found


def marks(root: Path) -> list[str]:
    """Marks of unfinished work and absolute paths of somebody's machine in tracked files."""
    found = []
    for path in tree.tracked(root):
        text = tree.text_of(root / path)
        if text is None or path.as_posix().startswith("tests/fuzz/corpus/") or path.name == "LICENSE":
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for pattern, what in ((_MARKS, "unfinished"), (_MACHINE, "a path of one machine")):
                if match := pattern.search(line):
                    found.append(f"{path}:{number}: {what}: {match[0]}")
    return found


def _python_sleeps(text: str) -> list[int]:
    """The lines where Python code calls a function named sleep; strings and comments do not count."""
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type in (tokenize.NAME, tokenize.OP)]
    return [one.start[0] for one, two in zip(tokens, tokens[1:]) if one.string == "sleep" and two.string == "("]


def sleeps(root: Path) -> list[str]:
    """Fixed sleeps in tests: they are slow on a fast machine and too short on a slow one."""
    found = []
    for path in sorted(path.relative_to(root) for path in (root / "tests").rglob("*") if path.is_file()):
        if path.as_posix() in SLEEP_HELPERS:
            continue
        lines = []
        if path.suffix == ".py":
            lines = _python_sleeps((root / path).read_text())
        elif path.suffix in tree.CPP:
            code = tree.code_only((root / path).read_text())
            lines = [number for number, line in enumerate(code.splitlines(), 1) if _SLEEP_CPP.search(line)]
        found += [f"{path}:{number}: wait for the condition instead of sleeping" for number in lines]
    return found
