# SPDX-License-Identifier: Apache-2.0
"""report.html: a self-contained page about one or several runs."""

from __future__ import annotations

import base64
import datetime
import functools
import hashlib
import importlib.resources
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from aclnn_cts.files import write_text
from aclnn_cts.judge.comparison import number
from aclnn_cts.report.comparison_text import aside, headline, note_lines, sections, side_lines
from aclnn_cts.report.formatting import WRONG_CLASS, of_budget, spans
from aclnn_cts.report.page import tables
from aclnn_cts.report.page.failures import (
    Detail,
    failing_groups,
    failing_operators,
    grid_svg,
    histogram_svg,
    picture_caption,
)
from aclnn_cts.report.summary import recorded_section
from aclnn_cts.report.view import (
    COLOURS,
    STATES,
    SYMBOLS,
    Run,
    contract_only,
    overview_of,
    run_facts,
)
from aclnn_cts.results.commands import MOST_COMPANY, company_remark
from aclnn_cts.results.document import ResultsDocument
from aclnn_cts.results.failure_message import (
    absolute_error_of,
    allowed_error_of,
    error_of,
    inputs_at,
    place_of,
)

MOST_UNFOLDED = 12
"""Maximum number of operators whose families are not folded."""

MOST_NAMED = 8
"""Maximum number of failing operators in the first screen."""


def render_page(runs: Sequence[Run], baseline: ResultsDocument | None = None) -> str:
    """Return the page of one or several runs.

    Args:
        runs: At least one.
        baseline: An earlier run with which runs of its product are compared.

    Raises:
        NotTrustworthyError: The baseline can be compared with none of the runs.
    """
    templates = _environment()
    counting = tables.without_baseline(baseline, runs)
    render_detail = _detail_renderer(templates)
    groups = failing_groups(runs, lambda detail: len(render_detail(detail).encode()))
    keys = {detail.key for group in groups for detail in group.details}
    comparisons = tables.comparisons_with(baseline, runs) if baseline is not None else []
    newly_failing = {
        change.operator
        for _, comparison in comparisons
        for change in comparison.of_kind("newly-failing")
    }
    style = page_style()
    folder = importlib.resources.files("aclnn_cts.report") / "templates"
    script = (folder / "report.js").read_text(encoding="utf-8")
    return templates.get_template("report.html.j2").render(
        policy=page_policy(style, script),
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        data=tables.page_data(runs, keys),
        runs=runs,
        several=len(runs) > 1,
        overview=overview_of(counting),
        counting=counting,
        contract_only=contract_only(runs),
        heat=tables.heat_map(runs),
        operators=tables.clauses_by_operator(runs),
        clause_states=tables.CLAUSE_STATES,
        groups=groups,
        render_detail=render_detail,
        accuracies=tables.accuracies(runs),
        timings=tables.timings(runs),
        slowest=tables.slowest(runs),
        openings=tables.openings_of(runs),
        recorded=[(run, recorded_section(run)) for run in runs if run.recorded],
        unenforced=[(run, *each) for run in runs for each in run.unenforced],
        rounding=[(run, each) for run in runs for each in run.document.rounding],
        waivers=[(run, each) for run in runs for each in run.document.waivers],
        most_rows=tables.MOST_ROWS,
        most_cases=tables.MOST_CASES,
        most_unfolded=MOST_UNFOLDED,
        comparisons=comparisons,
        failing=failing_operators(groups, newly_failing),
        most_named=MOST_NAMED,
    )


def _detail_renderer(templates: jinja2.Environment) -> Callable[[Detail], Markup]:
    """Return a cached renderer of cases, used for sizes and for the page."""
    template = templates.get_template("case.html.j2")
    rendered: dict[str, Markup] = {}

    def render_detail(detail: Detail) -> Markup:
        if detail.key not in rendered:
            text = template.render(detail=detail)
            rendered[detail.key] = Markup(text)  # noqa: S704 - rendered with escaping
        return rendered[detail.key]

    return render_detail


def html_templates(package: str) -> jinja2.Environment:
    """Return the templates of a package, with escaping."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
    )


@functools.lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    """Return the templates, compiled once."""
    templates = html_templates("aclnn_cts.report")
    templates.filters.update(
        {
            "number": number,
            "prose": _prose,
            "parted": with_breaks,
            "place": place_of,
            "figure": _figure,
            "percent": of_budget,
            "seconds": _seconds,
            "moment": moment_text,
            "caption": picture_caption,
            "company": company_remark,
            "error": error_of,
            "absolute": absolute_error_of,
            "allowed": allowed_error_of,
            "inputs": inputs_at,
            "grid": lambda picture: Markup(grid_svg(picture)),  # noqa: S704 - escaped by the library
            "histogram": lambda picture: Markup(histogram_svg(picture)),  # noqa: S704 - so is this
        }
    )
    templates.globals.update(
        {
            "SYMBOLS": SYMBOLS,
            "STATES": STATES,
            "COLOURS": COLOURS,
            "MOST_COMPANY": MOST_COMPANY,
            "aside": aside,
            "headline": headline,
            "side_lines": side_lines,
            "note_lines": note_lines,
            "run_facts": run_facts,
            "sections": sections,
        }
    )
    return templates


def _prose(text: str) -> Markup:
    """Return one of our messages; text between backticks is code."""
    parts = (
        Markup("<code>{}</code>").format(part) if is_code else escape(part)
        for part, is_code in spans(text)
    )
    return Markup("").join(parts)


def with_breaks(name: str) -> Markup:
    """Return an operator's name with break opportunities between its words."""
    return Markup("<wbr>").join(re.split(r"(?<=[a-z0-9])(?=[A-Z])", name))


def _figure(value: float | None) -> str:
    """Return a figure in four digits, or a text if it cannot be measured."""
    if value is None:
        return "–"
    return f"{value:.4g}" if math.isfinite(value) else WRONG_CLASS


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"


def moment_text(started: str) -> str:
    """Format an ISO 8601 time to the second; return other text unchanged."""
    try:
        moment = datetime.datetime.fromisoformat(started)
    except ValueError:
        return started
    return moment.strftime("%Y-%m-%d %H:%M:%S %Z").strip()


def page_style() -> str:
    return _environment().get_template("report.css.j2").render()


def page_policy(style: str, script: str | None = None) -> str:
    """Return the content security policy: the page may load nothing, and run only its script."""
    scripts = "'none'" if script is None else source_digest(script)
    return (
        f"default-src 'none'; style-src {source_digest(style)}; script-src {scripts}; "
        "base-uri 'none'; form-action 'none'"
    )


def source_digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def write_page(runs: Sequence[Run], path: Path, baseline: ResultsDocument | None = None) -> Path:
    """Write the page of one or several runs and return its path.

    Arguments are those of :func:`render_page`.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: The disk is full, or the baseline says nothing about any of the runs.
    """
    write_text(path, render_page(runs, baseline))
    return path
