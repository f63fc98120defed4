"""Prints a line for each named check; the Rust test counts them."""

import traceback


def check(name, work):
    """Runs a check. What it raises is why it failed."""
    try:
        work()
    except Exception:
        report(name, traceback.format_exc())
    else:
        report(name)


def report(name, why=None):
    """Tells of a check that has been made."""
    line = f"ok {name}" if why is None else f"not ok {name}: {' | '.join(why.splitlines())[:4000]}"
    print(line, flush=True)
