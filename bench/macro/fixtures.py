"""The files that every server serves, made anew for each run from a fixed seed.

The bytes depend on nothing but this file, so two machines measure the same content.
"""

import gzip
import hashlib
import random
from dataclasses import dataclass
from pathlib import Path

GREETING = b"Hello, world!"          # 13 bytes: the fixed response and the small file
SCRIPT_BYTES = 122 * 1024
BLOCK_BYTES = 1024 * 1024
SEED = 20110

# Vocabulary of the generated script. Together with the random numbers it gives a gzip ratio of about four,
# which is what bundled scripts of web pages have.
_NOUNS = ("node", "view", "state", "event", "target", "child", "value", "index", "list", "style", "layout", "query",
          "route", "store", "token", "cursor", "buffer", "frame", "option", "handler")
_VERBS = ("get", "set", "update", "render", "parse", "bind", "merge", "find", "create", "remove", "insert", "notify")


@dataclass(frozen=True)
class Fixtures:
    """Where the files are and what they contain. `gzip_script` is the sidecar of `script`."""

    root: Path
    script: bytes
    gzip_script: bytes
    block: bytes


def _name(rng: random.Random) -> str:
    return rng.choice(_VERBS) + rng.choice(_NOUNS).capitalize()


def _statement(rng: random.Random, names: list[str]) -> str:
    a, b = rng.choice(names), rng.choice(names)
    return rng.choice((
        f"  const {a}{rng.randrange(100)} = this.{_name(rng)}({b}, {rng.randrange(10_000)});\n",
        f"  if ({a}.{rng.choice(_NOUNS)} === {rng.randrange(1000)}) return {b};\n",
        f"  for (let i = 0; i < {a}.length; i++) {{ {b}.push({a}[i] ^ 0x{rng.randrange(1 << 60):x}); }}\n",
        f"  {a}.addEventListener(\"{rng.choice(_NOUNS)}-{rng.randrange(100)}\", ({b}) => this.{_name(rng)}({b}));\n",
        f"  this.{a} = Object.assign({{}}, {b}, {{ {rng.choice(_NOUNS)}: \"{rng.randrange(1 << 64):016x}\" }});\n",
    ))


def make_script(size: int, seed: int = SEED) -> bytes:
    """Text that looks like a bundled script: exactly `size` bytes, the same for the same seed."""
    rng = random.Random(seed)
    parts: list[str] = ['"use strict";\n']
    length = len(parts[0])
    while length < size:
        names = rng.sample(_NOUNS, 5)
        text = f"function {_name(rng)}{rng.randrange(1000)}({', '.join(names[:3])}) {{\n"
        text += "".join(_statement(rng, names) for _ in range(rng.randrange(3, 12)))
        text += "}\n"
        parts.append(text)
        length += len(text)
    return "".join(parts).encode("ascii")[: size - 1] + b"\n"


def build(root: Path) -> Fixtures:
    """Writes the document root. `root` must exist and be empty."""
    script = make_script(SCRIPT_BYTES)
    packed = gzip.compress(script, compresslevel=9, mtime=0)
    block = random.Random(SEED).randbytes(BLOCK_BYTES)
    files = {"small.txt": GREETING, "app.js": script, "app.js.gz": packed, "block.bin": block}
    for name, content in files.items():
        (root / name).write_bytes(content)
    return Fixtures(root=root, script=script, gzip_script=packed, block=block)


def digest(content: bytes) -> str:
    """SHA-256 in hex, the form in which bodies are compared and reported."""
    return hashlib.sha256(content).hexdigest()
