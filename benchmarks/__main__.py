"""Print every benchmark, with its target where there is one."""

from __future__ import annotations

from benchmarks.judges import judge_lines
from benchmarks.kernels import kernel_lines, thread_lines
from benchmarks.scale import scale_lines
from benchmarks.startup import startup_lines
from benchmarks.study import engine_lines, exact_lines
from benchmarks.timing import report

if __name__ == "__main__":
    for lines in (kernel_lines, judge_lines, thread_lines, engine_lines, exact_lines, scale_lines, startup_lines):
        print(report(lines()), flush=True)
