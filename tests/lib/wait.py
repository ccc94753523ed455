"""Waits for a condition, bounded. The one place of the tests that sleeps."""

import os
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

# An instrumented binary is several times slower; every bound is multiplied.
PATIENCE = 4.0 if os.environ.get("TIDEGATE_SANITIZED") else 1.0


def wait_until(condition: Callable[[], T], what: str, timeout_s: float = 10.0) -> T:
    """The first true value of `condition()`; AssertionError that names `what` when none came in time."""
    deadline = time.monotonic() + timeout_s * PATIENCE
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {timeout_s * PATIENCE:.0f} s in vain for {what}")
        time.sleep(0.005)
    return value
