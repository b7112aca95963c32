"""A pytest plugin: runs exactly the tests it is told, in the order it is told, and writes what happens to each as a line of JSON."""

import copy
import json
import os
import random
import sys

import pytest

with open(os.environ["FLAKESNIFF_PYTEST"], encoding="utf-8") as handle:
    TOLD = json.load(handle)

SEED = os.environ.get("FLAKESNIFF_RANDOM_SEED")


def tell(**event):
    # Appended and closed each time: a process that dies in a test leaves everything it told before.
    with open(TOLD["out"], "a", encoding="utf-8") as out:
        out.write(json.dumps(event) + "\n")


def is_worker(config):
    return hasattr(config, "workerinput")


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_collection_modifyitems(session, config, items):
    yield
    wanted = TOLD.get("ids")
    if wanted is not None:
        known = {item.nodeid: item for item in items}
        chosen, seen = [], set()
        for nodeid in wanted:
            item = known.get(nodeid)
            if item is None:
                continue
            if nodeid in seen:
                # The same test once more: an item of its own, or its fixtures would never be torn down.
                item = copy.copy(item)
                if hasattr(item, "_initrequest"):
                    item._initrequest()
            seen.add(nodeid)
            chosen.append(item)
        items[:] = chosen
    if TOLD.get("unskip"):
        for item in items:
            for node in item.listchain():
                node.own_markers = [mark for mark in node.own_markers if mark.name not in ("skip", "skipif")]
    if TOLD.get("list"):
        for item in items:
            path, line, _ = item.reportinfo()
            tell(e="item", id=item.nodeid, file=str(path), line=None if line is None else line + 1, name=item.name)


def pytest_collectreport(report):
    if report.failed and not TOLD.get("quiet"):
        tell(e="uncollected", id=report.nodeid, message=str(report.longrepr)[-2000:])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if SEED is not None:
        random.seed(SEED + item.nodeid)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(int(SEED) % 2**32)


class Teller:
    """Only the controlling process tells of runs: with xdist, every worker reports to it."""

    def pytest_runtest_logstart(self, nodeid, location):
        tell(e="start", id=nodeid)

    def pytest_runtest_logreport(self, report):
        node = getattr(report, "node", None)
        tell(
            e="phase",
            id=report.nodeid,
            when=report.when,
            outcome=report.outcome,
            xfail=hasattr(report, "wasxfail"),
            ms=report.duration * 1000,
            message=str(report.longrepr)[-2000:] if report.outcome in ("failed", "rerun") else None,
            worker=None if node is None else node.gateway.id,
        )

    def pytest_sessionfinish(self, exitstatus):
        tell(e="end", status=int(exitstatus))


def pytest_configure(config):
    if not is_worker(config):
        config.pluginmanager.register(Teller(), "flakesniff-teller")
