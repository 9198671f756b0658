"""Tables of text cells."""

from __future__ import annotations

from simstudy.pages.text_tables import Table, folds, markdown_lines, plain_lines

TABLE = Table(
    caption="power",
    stubs=("n_cases", "method"),
    span="difference",
    heads=("0.05", "0.10"),
    rows=(
        ("36", "exact", ".0258", "1.0000"),
        ("36", "z", ".077 ±.003", ">.9999"),
        ("100", "exact", "unreachable", "–"),
    ),
)


def test_numbers_stand_under_each_other() -> None:
    assert plain_lines(TABLE) == [
        "power",
        "                 difference",
        "n_cases  method   0.05          0.10",
        "────────────────────────────────────",
        "     36  exact    .0258       1.0000",
        "         z        .077 ±.003  >.9999",
        "    100  exact   unreachable       –",
    ]


def test_a_wide_table_is_folded_with_its_row_names() -> None:
    wide = Table("", ("method",), "", tuple("abcdefgh"), (("z", *["1.2345678901"] * 8),))
    parts = folds(wide, width=40)
    assert [list(part) for part in parts] == [[0, 1], [2, 3], [4, 5], [6, 7]]
    lines = plain_lines(wide, width=40)
    assert sum(line.startswith("z") for line in lines) == 4
    assert max(map(len, lines)) <= 40


def test_a_column_wider_than_the_page_stands_alone() -> None:
    wide = Table("", ("m",), "", ("a", "b"), (("z", "x" * 50, "y" * 50),))
    assert [list(part) for part in folds(wide, width=40)] == [[0], [1]]


def test_a_table_without_row_names_has_its_values() -> None:
    assert plain_lines(Table("", (), "", ("a",), ((".5",),)))[-1] == ".5"


def test_markdown_names_every_row() -> None:
    assert markdown_lines(TABLE) == [
        "**power**",
        "",
        "| n_cases | method | difference = 0.05 | difference = 0.10 |",
        "| --- | --- | ---: | ---: |",
        "| 36 | exact | .0258 | 1.0000 |",
        "| 36 | z | .077 ±.003 | >.9999 |",
        "| 100 | exact | unreachable | – |",
    ]


def test_markdown_escapes_what_would_end_a_cell() -> None:
    assert markdown_lines(Table("", ("a|b",), "", (), (("1",),)))[0] == "| a\\|b |"
