"""The command line: ``simstudy`` and ``python -m simstudy``."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv : sequence of str, optional
        What was typed after ``simstudy``; `sys.argv` where not given.

    Returns
    -------
    int
        0 done, 1 a check failed, 2 the request was wrong, 3 it could not be computed, 130 stopped by the user,
        143 and 129 by a signal.
    """
    from simstudy.commands.run import run  # late: Ctrl-C during the imports below is met by the interpreter alone

    return run(argv)


if __name__ == "__main__":
    raise SystemExit(main())
