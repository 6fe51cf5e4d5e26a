# SPDX-License-Identifier: Apache-2.0
"""Which run of the store a new one is compared with."""

from __future__ import annotations

from sqlalchemy import Connection

from aclnn_cts.errors import ExitCode, NotTrustworthyError
from aclnn_cts.report.results import ResultsDocument
from aclnn_cts.store.runs import RunFacts, matching, run_of

LAST_GREEN = "last-green"


def baseline_of(connection: Connection, new: ResultsDocument, wanted: str) -> RunFacts:
    """Return the run that a new one is to be compared with.

    Args:
        new: The new run; it may be in the store, and is never its own baseline.
        wanted: ``last-green`` for the last run before it that ended with exit status 0, the number
            of a run, a label, or a version of CANN. Of several runs the last one before the new
            one counts that has its product, kind of device, tier, standard and edition.

    Raises:
        WrongInputError: There is no run of that number.
        NotTrustworthyError: There is no such run, or it was withdrawn: nothing can be compared.
    """
    if wanted.isdigit():
        named = run_of(connection, int(wanted))
        if named.withdrawn is not None:
            raise NotTrustworthyError(f"run {named.id} was withdrawn: {named.withdrawn}")
        return named
    device = new.device
    runs = [
        run
        for run in matching(connection, device.product, device.kind)
        if (run.tier, run.standard, run.edition) == (new.tier, new.standard, new.edition)
        and run.nonce != new.nonce
        and run.started < new.started
    ]
    if wanted == LAST_GREEN:
        found = [run for run in runs if run.exit_status == ExitCode.PASSED]
    else:
        found = [run for run in runs if run.label == wanted] or [
            run for run in runs if run.cann == wanted
        ]
    if not found:
        what = "run that ended with exit status 0" if wanted == LAST_GREEN else f"{wanted!r}"
        raise NotTrustworthyError(
            f"the store holds no {what} of {device.product}, tier {new.tier}, standard "
            f"{new.standard} and edition {new.edition} from before {new.started}; "
            "`aclnn-cts store list` says what it holds"
        )
    return found[-1]
