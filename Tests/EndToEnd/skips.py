"""In CI, a test that is skipped has failed: what it would have shown is not known."""

import os

import pytest


def is_forbidden():
    return bool(os.environ.get("CI"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    return failed_if_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return failed_if_skipped((yield))


def failed_if_skipped(report):
    # What is expected to fail is reported as skipped too, and has run.
    if report.skipped and not hasattr(report, "wasxfail") and is_forbidden():
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"CI allows no skips. {reason}. Install what is missing: scripts/install.sh test"
    return report
