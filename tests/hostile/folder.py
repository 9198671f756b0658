"""The folder in which hostile requests run: files that have to stay as they are, byte for byte."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from simstudy import power_curve, save

POWER_FILE = """scenario = "paired"
method = ["mcnemar_exact", "tango"]
[parameters]
n_cases = [8, 12]
accuracy_a = 0.6
difference = 0.1
[options]
engine = "exact"
"""
SIZE_FILE = """scenario = "proportion"
question = "size"
method = "wilson"
[parameters]
accuracy = 0.6
[options]
target = "half_width=0.2"
"""
MDE_FILE = """scenario = "win_rate"
question = "mde"
method = "averaged"
[parameters]
n_pairs = 60
"""
# study files that are wrong in one place each: name, what stands in place of what
WRONG = {
    "no_scenario.toml": ('scenario = "paired"\n', ""),
    "number_scenario.toml": ('"paired"', "7"),
    "list_scenario.toml": ('"paired"', '["paired"]'),
    "question.toml": ('method = ["mcnemar_exact", "tango"]', 'question = ["power"]'),
    "replay.toml": ('method = ["mcnemar_exact", "tango"]', 'question = "replay"'),
    "table_method.toml": ('["mcnemar_exact", "tango"]', "{tango = 1}"),
    "no_method.toml": ('["mcnemar_exact", "tango"]', "[]"),
    "number_method.toml": ('["mcnemar_exact", "tango"]', "[1, 2]"),
    "nested.toml": ("[8, 12]", "[8, [12]]"),
    "mixed.toml": ("[8, 12]", '[8, "12"]'),
    "bool.toml": ("[8, 12]", "true"),
    "table_value.toml": ("[8, 12]", "{from = 8, to = 12}"),
    "empty_list.toml": ("[8, 12]", "[]"),
    "nan.toml": ("= 0.1", "= nan"),
    "inf.toml": ("= 0.1", "= -inf"),
    "time.toml": ("= 0.1", "= 07:32:00"),
    "misspelt.toml": ("difference", "diffrence"),
    "misspelt_option.toml": ("engine", "engin"),
    "misspelt_key.toml": ("[options]", "[option]"),
    "array_of_tables.toml": ("[parameters]", "[[parameters]]"),
    "engine_list.toml": ('"exact"', '["exact", "full"]'),
    "typed_only.toml": ('engine = "exact"', 'out = "old.nc"'),
    "text_seed.toml": ('engine = "exact"', 'seed = "1"'),
    "bool_seed.toml": ('engine = "exact"', "seed = true"),
    "fraction_seed.toml": ('engine = "exact"', "seed = 1.5"),
    "text_switch.toml": ('engine = "exact"', 'common_random_numbers = "no"'),
    "doubled.toml": ("accuracy_a = 0.6\n", "accuracy_a = 0.6\naccuracy_a = 0.7\n"),
    "target.toml": ('engine = "exact"', 'engine = "exact"\ntarget = 0.8'),
    "huge.toml": ("[8, 12]", "1e30"),
}
PILOT = "case,a,b\n" + "".join(f"q{i},{int(i % 3 > 0)},{int(i % 4 > 0)}\n" for i in range(40))
LONG_PILOT = "case,system,correct\n" + "".join(
    f"q{i},{name},{int(i % step > 0)}\n" for i in range(30) for name, step in (("a", 3), ("b", 4))
)
TEXTS = {
    "power.toml": POWER_FILE,
    "size.toml": SIZE_FILE,
    "mde.toml": MDE_FILE,
    **{name: POWER_FILE.replace(*change) for name, change in WRONG.items()},
    "table_options.toml": 'options = 3\nscenario = "paired"\n',
    "wide.csv": PILOT,
    "long.csv": LONG_PILOT,
    "empty.csv": "",
    "header.csv": "case,a,b\n",
    "ragged.csv": "case,a,b\n1,1,0\n2,1\n3,1,0,1\n",
    "quote.csv": 'case,a,b\n1,"1,0\n2,1,1\n',
    "semicolons.csv": PILOT.replace(",", ";"),
    "text.csv": "case,a,b\n1,yes,perhaps\n2,no,maybe\n",
    "half.csv": "case,a,b\n1,0.5,1\n2,0.25,0\n",
    "inf.csv": "case,a,b\n1,inf,1\n2,1,0\n",
    "one_case.csv": "case,a,b\n1,1,0\n",
    "same.csv": "case,a,b\n" + "".join(f"{i},1,1\n" for i in range(5)),
    "unnamed.csv": "case,,b\n1,1,0\n2,0,1\n",
    "nothing_shared.csv": "case,system,correct\n1,a,1\n2,b,0\n",
    "list.jsonl": "[1, 2]\n[3, 4]\n",
    "broken.jsonl": '{"case": 1, "a": 1, "b": 0}\n{"case": 2, "a": 1,\n',
    "table.jsonl": '{"case": 1, "a": {"x": 1}, "b": 0}\n',
    "old.nc": "an older result",
    "old.csv": "an older table",
    "old.png": "an older picture",
    "text.nc": "this is no netCDF",
    "empty.nc": "",
    "latin.toml": 'aims = "x"\n',
    "no_class.py": "x = 1\n",
    "two.py": "from simstudy import Scenario\nclass One(Scenario): pass\nclass Two(Scenario): pass\n",
    "bare.py": "from simstudy import Scenario\nclass Bare(Scenario):\n    pass\n",
}


def fill(folder: Path) -> None:
    """Write every file that hostile requests name."""
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "latin.toml").write_bytes('scenario = "paired"\naims = "für"\n'.encode("latin-1"))
    (folder / "zero.csv").write_bytes(b"case,a,b\n1,1,0\n2,\x00,1\n")
    (folder / "truncated.nc").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(40))
    (folder / "folder").mkdir()
    (folder / "folder.nc").mkdir()
    (folder / "deep.jsonl").write_text(json.dumps({"case": 1, "a": 1, "b": 0}) + "\n", encoding="utf-8")
    saved = power_curve("paired", n_cases=[8, 12], accuracy_a=0.6, difference=0.1, method="tango", engine="exact")
    save(saved, folder / "saved.nc")
    saved.attrs["study"] = "{}"
    save(saved, folder / "no_study.nc")


def contents(folder: Path) -> dict[str, str]:
    """Return every file and folder with what is in it, as a hash."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in sorted(folder.rglob("*"))
    }
