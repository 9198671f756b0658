"""The command line: ``simstudy`` and ``python -m simstudy``."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run what was typed after ``simstudy``; return its exit code: of `simstudy.errors`, or 128 + signal."""
    from simstudy.commands.run import run  # late: Ctrl-C during the imports below is met by the interpreter alone

    return run(argv)


if __name__ == "__main__":
    raise SystemExit(main())
