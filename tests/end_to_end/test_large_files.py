"""Files of two million records take under a minute and 2 GB: a tenth of them, in processor time and peak memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SYSTEMS, CASES = 4, 50_000
PROMPT = "Explain, step by step, why the answer holds. " * 8
# a tenth of a minute, and of 2 GB beside the program itself
SECONDS, MEGABYTES = 6.0, 200.0
MEASURED = """
import sys, time
from pathlib import Path
from simstudy.records.read_options import ReadOptions
from simstudy.records.reading import read_records
import simstudy.records.readers.parquet, pandas
def peak():  # not ru_maxrss, which begins with that of the parent
    return next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line)
before = peak()
began = time.process_time()
records = read_records([sys.argv[1]], ReadOptions())
print(len(records), time.process_time() - began, (peak() - before) / 1024)
"""


def write(path: Path) -> None:
    rows = [
        {
            "case": f"q{case}",
            "system": f"s{system}",
            "correct": (case * 7 + system) % 3 % 2,
            "prompt": f"{case} {PROMPT}",
        }
        for system in range(SYSTEMS)
        for case in range(CASES)
    ]
    if path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        pandas = pytest.importorskip("pandas")
        table = pandas.DataFrame(rows)
        if path.suffix == ".csv":
            table.to_csv(path, index=False)
        else:
            pytest.importorskip("pyarrow")
            table.to_parquet(path, row_group_size=20_000)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is asked of /proc")
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "json"])
def test_large_files_are_read_in_bounded_time_and_memory(ending, tmp_path):
    path = tmp_path / f"large.{ending}"
    write(path)
    done = subprocess.run([sys.executable, "-c", MEASURED, path], capture_output=True, text=True, check=True)
    records, seconds, megabytes = (float(word) for word in done.stdout.split())
    assert records == SYSTEMS * CASES
    assert seconds < SECONDS
    # of one array: six times its size, which is what stands whole in memory
    assert megabytes < (6 * path.stat().st_size / 2**20 if ending == "json" else MEGABYTES), megabytes
