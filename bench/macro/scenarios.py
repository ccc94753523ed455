"""What is asked of every server: a path, request fields, and the answer that must come back."""

from dataclasses import dataclass

from bench.macro.fixtures import GREETING, Fixtures


@dataclass(frozen=True)
class Scenario:
    """One request that is repeated. `content` is the body after decoding; `encoding` is "" or "gzip".

    `wire_content` is the body that the floor sends, `floor_way` how: the cheapest for this
    size (see floor.cpp); for 1 MiB the cheapest of those that do not cost the receiver more and halve the requests a second.
    """

    name: str
    title: str
    path: str
    content: bytes
    content_type: str
    wire_content: bytes
    encoding: str = ""
    floor_way: str = "send"

    @property
    def request_fields(self) -> dict[str, str]:
        return {"Accept-Encoding": self.encoding} if self.encoding else {}


NAMES = ("respond", "static-small", "static-js", "static-gzip", "static-1m")
STATIC = frozenset(NAMES[1:])
RESPOND = frozenset(NAMES[:1])


def build(fixtures: Fixtures) -> dict[str, Scenario]:
    """All scenarios by name, in the order of NAMES."""
    script, js = fixtures.script, "application/javascript"
    packed, binary = fixtures.gzip_script, "application/octet-stream"
    listed = (
        Scenario("respond", f"fixed answer of {len(GREETING)} bytes", "/respond", GREETING, "text/plain", GREETING),
        Scenario("static-small", f"file of {len(GREETING)} bytes", "/small.txt", GREETING, "text/plain", GREETING),
        Scenario("static-js", f"script of {len(script) // 1024} KiB", "/app.js", script, js, script, floor_way="split"),
        Scenario("static-gzip", f"the same script, compressed beforehand ({len(packed) // 1024} KiB)", "/app.js", script, js,
                 packed, encoding="gzip"),
        Scenario("static-1m", "file of 1 MiB", "/block.bin", fixtures.block, binary, fixtures.block, floor_way="sendfile"),
    )
    return {scenario.name: scenario for scenario in listed}
