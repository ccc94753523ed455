"""What the cases of the protocol tests have in common: bytes in, one answer out, and the connection afterwards."""

from typing import NamedTuple

import pytest

from lib.http1 import Client, Response, request

# Stands behind every malformed request. It must never be answered: what follows on a broken request is not a request.
SMUGGLED = request("/smuggled")


class Case(NamedTuple):
    """Exact bytes, and the status that they deserve."""

    name: str
    raw: bytes
    status: int = 200
    method: str = "GET"


def cases(*rows) -> pytest.MarkDecorator:
    """Parametrises a test with rows of (name, bytes, status, ...); the name is the test's id."""
    made = [Case(*row) for row in rows]
    names = [case.name for case in made]
    assert len(set(names)) == len(names), f"twice: {sorted(name for name in names if names.count(name) > 1)}"
    return pytest.mark.parametrize("case", made, ids=names)


def refused(server, case: Case, piecewise: bool = False) -> Response:
    """The bytes get one answer with the case's status, a clean end, and nothing behind them is taken for a request."""
    with Client(server) as client:
        data = case.raw + SMUGGLED
        if piecewise:
            send_in_pieces(client, data)
        else:
            client.send(data)
        answer = client.response(case.method)
        assert answer.status == case.status, (answer, server.output)
        assert answer.closes, answer
        client.expect_end()
        return answer


def accepted(server, case: Case, piecewise: bool = False) -> Response:
    """The bytes are one request; its answer has the case's status and the connection serves another one."""
    with Client(server) as client:
        if piecewise:
            send_in_pieces(client, case.raw)
        else:
            client.send(case.raw)
        answer = client.response(case.method)
        assert answer.status == case.status, (answer, server.output)
        assert not answer.closes, answer
        client.expect_alive()
        return answer


def send_in_pieces(client: Client, data: bytes, size: int = 1) -> None:
    """One send a byte. The server may have answered and closed before the last one."""
    for at in range(0, len(data), size):
        try:
            client.send(data[at : at + size])
        except (BrokenPipeError, ConnectionResetError):
            return
