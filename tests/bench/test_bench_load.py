"""How wrk's output is read, what makes a run invalid, and how answers are checked."""

import dataclasses
import gzip
import socket
import threading

import pytest

from bench.macro import check, fixtures, load
from bench.macro.check import Answer, AnswerError, Observation
from bench.macro.load import LoadError, LoadResult
from bench.macro.scenarios import Scenario

LINE = ('wrk-json {"requests":300,"received_bytes":34500,"duration_us":1500000,"p50_us":700.0,"p99_us":1500.5,"max_us":9000.0,'
        '"errors":{"connect":0,"read":0,"write":0,"timeout":0,"status":0}}')
TEXT = f"Running 1s test @ http://127.0.0.1:1/x\n  1 threads and 64 connections\n{LINE}\n"
GOOD = load.parse_wrk(TEXT)
PLAIN = Scenario("plain", "", "/x", b"Hello, world!", "text/plain", b"Hello, world!")
PACKED = dataclasses.replace(PLAIN, encoding="gzip")


def test_wrk_result():
    assert GOOD.requests == 300 and GOOD.p99_us == 1500.5 and GOOD.requests_per_s == pytest.approx(200)


@pytest.mark.parametrize("text", ["", "no result", f"{LINE}\n{LINE}\n", "wrk-json {", 'wrk-json {"requests":1}',
                                  LINE.replace("1500000", "0"), LINE.replace('"p99_us":1500.5', '"p99_us":nan')])
def test_other_output_is_an_error(text):
    with pytest.raises(LoadError):
        load.parse_wrk(text)


def test_a_good_run_has_no_problems():
    assert load.load_problems(GOOD, body_bytes=13, wire_bytes=115, connections=64) == []


@pytest.mark.parametrize("kind", ["connect", "read", "write", "timeout", "status"])
def test_any_error_makes_a_run_invalid(kind):
    bad = dataclasses.replace(GOOD, errors={**GOOD.errors, kind: 1})
    assert load.load_problems(bad, 13, 115, 64) == [f"1 {kind} errors"]


@pytest.mark.parametrize(("received", "fine"), [(300 * 100, True), (300 * 100 - 1, False), (364 * (115 + 64 + 1), True),
                                                (364 * (115 + 64 + 1) + 1, False)])
def test_the_bytes_received_must_fit_the_answer(received, fine):
    result = dataclasses.replace(GOOD, received_bytes=received)
    assert (load.load_problems(result, body_bytes=100, wire_bytes=115, connections=64) == []) is fine


def test_no_request_is_a_problem():
    result = LoadResult(0, 0, 1000, 0, 0, 0, {})
    assert load.load_problems(result, 13, 115, 64) == ["no request was answered"]


def test_the_command_asks_for_the_encoding():
    command = load.wrk_command("wrk", "http://127.0.0.1:9", PACKED, 64, 3)
    assert command[:4] == ["wrk", "-t1", "-c64", "-d3s"] and command[-3:] == ["-H", "Accept-Encoding: gzip", "http://127.0.0.1:9/x"]


def answers(data: bytes) -> Answer:
    """What the reader makes of these bytes when the server sends them and closes."""
    ours, theirs = socket.socketpair()
    with ours:
        sender = threading.Thread(target=lambda: (theirs.sendall(data), theirs.close()))
        sender.start()
        try:
            return check.read_answer(ours)
        finally:
            ours.close()
            sender.join(10)


def test_both_framings_are_read():
    sized = b"HTTP/1.1 200 OK\r\nContent-LENGTH: 13\r\n\r\nHello, world!"
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nHello\r\n8\r\n, world!\r\n0\r\n\r\n"
    for data in (sized, chunked):
        answer = answers(data)
        assert answer.body == b"Hello, world!" and answer.wire_bytes == len(data)
        assert check.answer_problems(answer, PLAIN) == []


@pytest.mark.parametrize("data", [
    b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\nHello",
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHell", b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nHello",
    b"HTTP/1.1 200 OK\r\nContent-Length 4\r\n\r\nHell", b"x" * (check.MAX_HEAD_BYTES + 70000),
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz\r\nHello\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nHello\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHello\r\n",
])
def test_a_wrong_answer_is_an_error(data):
    with pytest.raises(AnswerError):
        answers(data)


@pytest.mark.parametrize(("scenario", "answer", "count"), [
    (PLAIN, Answer(200, {}, b"Hello, world!", 99), 0),
    (PLAIN, Answer(404, {}, b"Hello, world!", 99), 1),
    (PLAIN, Answer(200, {}, b"Hello, World!", 99), 1),
    (PLAIN, Answer(200, {"content-encoding": "gzip"}, gzip.compress(b"Hello, world!"), 99), 1),
    (PACKED, Answer(200, {"content-encoding": "gzip"}, gzip.compress(b"Hello, world!"), 99), 0),
    (PACKED, Answer(200, {"content-encoding": "gzip"}, gzip.compress(b"Hello, World!"), 99), 1),
    (PACKED, Answer(200, {"content-encoding": "gzip"}, gzip.compress(b"Hello, world!")[:-1], 99), 1),
    (PACKED, Answer(200, {"content-encoding": "gzip"}, b"Hello, world!", 99), 1),
    (PACKED, Answer(200, {"content-encoding": "br"}, b"Hello, world!", 99), 2),
    (PACKED, Answer(200, {}, b"Hello, world!", 99), 1),
])
def test_answers_are_compared_with_the_scenario(scenario, answer, count):
    assert len(check.answer_problems(answer, scenario)) == count


def test_the_checks_before_and_after_are_compared():
    first = Observation(200, "", 13, "aa", 115, [])
    assert check.compare(first, dataclasses.replace(first)) == []
    assert check.compare(first, dataclasses.replace(first, body_sha256="bb")) == ["the body changed during the measurement"]
    assert check.compare(first, dataclasses.replace(first, problems=["status 500"])) == ["after: status 500"]


def test_the_fixtures_are_always_the_same():
    script = fixtures.make_script(50_000)
    assert len(script) == 50_000 and script == fixtures.make_script(50_000)
    assert 3 < len(script) / len(gzip.compress(script, 9)) < 6
