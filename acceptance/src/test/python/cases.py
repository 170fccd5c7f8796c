"""The frame of the Python cases: each function marked as a case runs once and prints one line."""

import os
import sys
import time
import traceback
import uuid

BOOTSTRAP = os.environ["BOOTSTRAP"]
RUN = uuid.uuid4().hex[:8]

_cases = []
_names = 0


def case(function):
    _cases.append((function.__name__, function))
    return function


def cases(values):
    """Makes one case of each value; the function takes it as its argument."""

    def mark(function):
        for value in values:
            _cases.append((f"{function.__name__}_{value}", lambda value=value: function(value)))
        return function

    return mark


def fresh(prefix):
    """A name that nothing else uses."""
    global _names
    _names += 1
    return f"{prefix}-{RUN}-{_names}"


def until(what, condition, seconds=40):
    """Calls the condition until it holds; it must take a little time itself, as a poll does."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what}")


def equal(actual, expected):
    if actual != expected:
        raise AssertionError(f"expected {expected!r}, got {actual!r}")


def run():
    failed = 0
    for name, function in _cases:
        started = time.monotonic()
        try:
            function()
            print(f"PASS {name} {time.monotonic() - started:.1f}s", flush=True)
        except BaseException as error:  # a client may raise anything; the case fails, the others go on
            failed += 1
            reason = " ".join(repr(error).split())
            print(f"FAIL {name} {reason}", flush=True)
            traceback.print_exc()
    print(f"DONE {len(_cases)}", flush=True)
    sys.exit(1 if failed else 0)
