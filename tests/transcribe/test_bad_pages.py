# SPDX-License-Identifier: Apache-2.0
"""A page that cannot be read is refused with a place, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.transcribe.pages import TITLES, X, Y, page, table
from typer.testing import CliRunner

from aclnn_cts import cli


def _line(text: str, part: str, nth: int = 1) -> int:
    at = -1
    for _ in range(nth):
        at = text.index(part, at + 1)
    return text[:at].count("\n") + 1


GOOD = page()
MERGED = GOOD.replace("<td>ND</td>\n<td>0-8</td>", '<td colspan="2">ND</td>', 1)
SHIFTED = page(rows=(X, (*Y[:3], *Y[4:])))
SHIFTED_WITHIN = page(rows=(X, (*Y[:4], Y[5], Y[6], "√", "-")))
TWO_TABLES = GOOD.replace("- **返回值", f"{table(TITLES, (X, Y))}\n- **返回值")
NO_TABLE = page(parameters="")
ENGLISH = "# aclnnMadeUp\n\n## Prototype\n\n```cpp\nint f();\n```\n"
CUT_IN_TABLE = GOOD[: GOOD.index("</tbody>")]
CUT_IN_CODE = GOOD[: GOOD.index("uint64_t")]
VAST = GOOD.replace("<td>ND</td>", '<td rowspan="1000" colspan="1000">ND</td>', 1)
COMMENTS = GOOD + "<!--" * 50_000
BRACKETS = GOOD + "[" * 200_000
DIGITS = GOOD.replace("<td>ND</td>", f"<td>2-{'9' * 5000}维</td>", 1)
CUT_AFTER_TABLE = GOOD[: GOOD.index("## 约束")]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        pytest.param(MERGED.encode(), _line(MERGED, "<tr>", 2), id="merged cells"),
        pytest.param(SHIFTED.encode(), _line(SHIFTED, "<tr>", 3), id="shifted"),
        pytest.param(SHIFTED_WITHIN.encode(), _line(SHIFTED_WITHIN, "<tr>", 3), id="within"),
        pytest.param(TWO_TABLES.encode(), _line(TWO_TABLES, "<table>", 2), id="two tables"),
        pytest.param(NO_TABLE.encode(), _line(NO_TABLE, "<table>"), id="no table"),
        pytest.param(ENGLISH.encode(), 1, id="English"),
        pytest.param(CUT_IN_TABLE.encode(), _line(CUT_IN_TABLE, "<table>"), id="cut in a table"),
        pytest.param(CUT_IN_CODE.encode(), _line(CUT_IN_CODE, "```"), id="cut in the prototype"),
        pytest.param(
            CUT_AFTER_TABLE.encode(),
            _line(CUT_AFTER_TABLE, "## aclnnMadeUpGet"),
            id="cut behind a table",
        ),
        pytest.param(VAST.encode(), _line(VAST, "<td rowspan"), id="a vast table"),
        pytest.param(COMMENTS.encode(), _line(COMMENTS, "<!--"), id="comments without an end"),
        pytest.param(BRACKETS.encode(), _line(BRACKETS, "["), id="brackets without an end"),
        pytest.param(DIGITS.encode(), _line(DIGITS, "9999"), id="a number without an end"),
        pytest.param(GOOD.encode("gbk"), 3, id="another encoding"),
        pytest.param(GOOD.encode("utf-16"), 1, id="two bytes a character"),
    ],
)
def test_a_page_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes, line: int) -> None:
    """Exit status 2, one sentence with file and line, and no spec."""
    source, output = tmp_path / "page.md", tmp_path / "aclnnMadeUp.yaml"
    source.write_bytes(content)
    result = CliRunner().invoke(cli.app, ["transcribe", str(source), "-o", str(output)])
    assert result.exit_code == 2
    assert f"{source}:{line}: " in result.stderr
    assert list(tmp_path.iterdir()) == [source]


def test_a_page_that_is_not_there(tmp_path: Path) -> None:
    """Exit status 2 for a missing file, and for a folder."""
    for path in (tmp_path / "none.md", tmp_path):
        assert CliRunner().invoke(cli.app, ["transcribe", str(path)]).exit_code == 2
