"""Many idle keep-alive connections from one process, each having made one request.

One source address has only so many ports towards one server, so the clients spread over 127.0.0.1, 127.0.0.2 and so on.
"""

import resource
import select
import socket
from pathlib import Path

from bench.macro import check
from bench.macro.scenarios import Scenario

SPARE_DESCRIPTORS = 64                           # what we and a server open besides the connections
PORT_SHARE = 0.5                                 # of the ephemeral ports, so that others find some too
CONNECT_TIMEOUT_S = 5.0
IP_BIND_ADDRESS_NO_PORT = 24                     # linux/in.h; Python 3.11 has no name for it
PORT_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")


class LimitError(Exception):
    """The machine does not allow so many connections. The text says which limit and what to do."""


def ports_per_address(text: str) -> int:
    """How many connections one source address takes, from the text of ip_local_port_range."""
    low, high = (int(word) for word in text.split())
    return max(1, int((high - low + 1) * PORT_SHARE))


def source_address(index: int, per_address: int) -> str:
    """The address of the connection with this index: 127.0.0.1 for the first, 127.0.0.2 after `per_address` of them."""
    block = index // per_address
    if block > 253:
        raise LimitError(f"connection {index + 1} finds no source address in 127.0.0.0/24")
    return f"127.0.0.{block + 1}"


def descriptors_needed(connections: int, each: int) -> int:
    """How many a process needs that uses `each` for a connection. Who uses more than one has spare ones for the rest."""
    return connections * each if each > 1 else connections + SPARE_DESCRIPTORS


def raise_descriptor_limit(connections: int, users: dict[str, int]) -> None:
    """Makes room here and in the servers, which inherit the limit. Raises LimitError.

    `users` says who opens how many descriptors a connection: ourselves one, lighttpd two.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for name, each in users.items():
        need = descriptors_needed(connections, each)
        if resource.RLIM_INFINITY in (soft, hard) or need <= hard:
            continue
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (need, need))
            soft = hard = need
        except (ValueError, PermissionError) as error:
            most = hard // each if each > 1 else hard - SPARE_DESCRIPTORS
            raise LimitError(f"{connections} connections need {need} file descriptors in {name}, the hard limit is {hard}: use "
                             f"--connections {most} or less, or raise the limit (ulimit -Hn)") from error
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Clients:
    """Opens connections one after the other and holds them. Use as a context manager: all are closed at the end."""

    def __init__(self, scenario: Scenario, port: int):
        self._scenario = scenario
        self._port = port
        self._request = check.request_bytes(scenario, port)
        self._per_address = ports_per_address(PORT_RANGE.read_text())
        self._open: list[socket.socket] = []

    def __enter__(self) -> "Clients":
        return self

    def __exit__(self, *_) -> None:
        for connection in self._open:
            connection.close()

    def open(self, count: int) -> None:
        """Opens `count` more, each asking once and reading the whole answer. Raises AnswerError or OSError."""
        for _ in range(count):
            connection = socket.socket()
            self._open.append(connection)
            connection.settimeout(CONNECT_TIMEOUT_S)
            connection.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
            connection.bind((source_address(len(self._open) - 1, self._per_address), 0))
            connection.connect(("127.0.0.1", self._port))
            self.ask(connection)

    def ask(self, connection: socket.socket) -> None:
        connection.sendall(self._request)
        problems = check.answer_problems(check.read_answer(connection), self._scenario)
        if problems:
            raise check.AnswerError("; ".join(problems))

    def closed_by_server(self) -> int:
        """How many connections the server has ended: an idle one has nothing to read, a closed one is readable."""
        poller = select.poll()
        for connection in self._open:
            poller.register(connection, select.POLLIN | select.POLLRDHUP)
        return len(poller.poll(0))

    def ask_again(self, every: int) -> int:
        """Asks on every n-th connection once more, to prove that they are served and not only open; returns how many."""
        asked = self._open[::every]
        for connection in asked:
            self.ask(connection)
        return len(asked)
