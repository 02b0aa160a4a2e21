"""The dashboard and the alerts in deploy/observability, against the metrics of a running service; and what it logs."""

import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess

import pytest

from issuer import Issuer

FOLDER = pathlib.Path(__file__).parents[2] / "deploy" / "observability"
# Where scripts/install.sh unpacks it.
PROMTOOL = shutil.which("promtool") or shutil.which(FOLDER.parents[1] / ".build" / "tools" / "usr" / "bin" / "promtool")
needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="promtool is missing: Debian's package prometheus")

# What Prometheus adds to each sample.
ADDED = {"job", "instance", "namespace"}
NAME = r"(?:fleet_token|http_server|process)_\w+"


def promtool(*arguments, **options):
    return subprocess.run([PROMTOOL, *map(str, arguments)], capture_output=True, text=True, timeout=60, **options)


@needs_promtool
def test_alerts_are_well_formed_and_fire_when_they_should():
    checked = promtool("check", "rules", FOLDER / "alerts.yaml")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    files = sorted(FOLDER.glob("alerts*_test.yaml"))
    # At once: one of them is about days.
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for tested in pool.map(lambda file: promtool("test", "rules", file), files):
            assert tested.returncode == 0, tested.stdout + tested.stderr
    names = set(re.findall(r"- alert: (\w+)", (FOLDER / "alerts.yaml").read_text()))
    text = "".join(file.read_text() for file in files)
    assert names == set(re.findall(r"- name: (FleetToken\w+)$", text, re.MULTILINE))


def expressions():
    """Each expression of the dashboard and the alerts, with a name for it."""
    for panel in json.loads((FOLDER / "dashboard.json").read_text())["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"], target["legendFormat"]
    for alert in re.split("- (?:alert|record): ", (FOLDER / "alerts.yaml").read_text())[1:]:
        expression = re.search(r"expr:(.*?)\n *(?:for:|labels:|#|- |\n|$)", alert, re.DOTALL).group(1)
        yield alert.split()[0], expression, " ".join(re.findall(r"\{\{ \$labels\.\w+ \}\}", alert))


def test_each_panel_is_of_the_chosen_jobs_and_namespaces():
    """Without Kubernetes nothing has a namespace, and all of them are chosen."""
    dashboard = json.loads((FOLDER / "dashboard.json").read_text())
    variables = {variable["name"]: variable for variable in dashboard["templating"]["list"]}
    assert variables["namespace"]["allValue"] == ".*"
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            selectors = re.findall(rf"{NAME}(?:\{{([^}}]*)\}})?", target["expr"])
            assert all('namespace=~"$namespace", job=~"$job"' in selector for selector in selectors), target["expr"]


def test_the_page_states_the_objectives_of_the_alerts():
    text = (FOLDER.parents[1] / "docs" / "metrics.md").read_text()
    alerts = (FOLDER / "alerts.yaml").read_text()
    assert "99.9 % of token requests" in text and "99 % of token requests" in text and "within a second" in text
    for factor in ("14.4 * 0.001", "6 * 0.001", "14.4 * 0.01"):
        assert factor in alerts


@pytest.fixture
def page(site, serve, webhook):
    """The /metrics page of a service that has all that can be configured, and has used it."""
    issuer = Issuer("https://id.example", algorithms=["ES256"])
    site.discover(issuer, algorithms=["ES256"], keysUrl="https://localhost:1/keys")
    site.ask_webhook(webhook.url)
    site.api_key("later", "--not-after", "2090-01-01T00:00:00Z")
    site.configuration["limits"] = {"failuresPerAddress": {"perMinute": 1, "burst": 1}}
    service = serve(site)
    for _ in range(2):
        service.request("/token/driver/v-1", key="nobody")
    service.request("/token/driver/v-1", key=site.key)
    service.request("/token/driver/v-1", bearer=issuer.token(sub="u-1"))
    service.request("/token/driver/*", key=site.key)
    yield service.metrics()


def samples(page):
    """Each name on a page, with the labels that it has."""
    names = {}
    for name, labels in re.findall(r"^(\w+)(?:\{(.*)\})? \S+$", page, re.MULTILINE):
        names.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    return names


def test_each_name_and_label_is_on_the_page(page):
    known = samples(page)
    used = set()
    for where, expression, legend in expressions():
        names = re.findall(NAME, expression)
        used |= {re.sub("_(bucket|count|sum)$", "", name) for name in names}
        labels = set()
        for name in names:
            assert name in known, f"{where}: there is no {name}"
            labels |= known[name]
        for name, selector in re.findall(rf"({NAME})\{{((?:[^}}\"]|\"[^\"]*\")*)\}}", expression):
            wanted = set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", selector))
            assert wanted <= known[name] | ADDED, f"{where}: {name} has no label {wanted - known[name] - ADDED}"
        grouped = {label for group in re.findall(r"by \(([^)]*)\)", expression) for label in re.split(r",\s*", group)}
        shown = set(re.findall(r"\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}", legend))
        assert grouped <= labels | ADDED, f"{where}: nothing has {grouped - labels - ADDED}"
        assert shown <= (grouped if "by (" in expression else labels | ADDED), f"{where}: {shown}"
    families = {re.sub("_(bucket|count|sum)$", "", name) for name in known if re.fullmatch(NAME, name)}
    assert families == used, "each metric is on the dashboard or in an alert"


@needs_promtool
def test_promtool_accepts_the_page(page):
    checked = promtool("check", "metrics", input=page)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_each_metric_is_explained(page):
    table = (FOLDER.parents[1] / "docs" / "metrics.md").read_text()
    explained = set(re.findall(NAME, "".join(re.findall(r"^\| `[^|]*", table, re.MULTILINE))))
    shown = set(re.findall(rf"^# TYPE ({NAME})", page, re.MULTILINE))
    assert explained == shown


def test_each_alert_leads_to_its_section_which_says_how_urgent_it_is():
    page = (FOLDER.parents[1] / "docs" / "operate.md").read_text()
    sections = dict(re.findall(r"^### (FleetToken\w+)\n\n\*\*(Page|Ticket)\.\*\*", page, re.MULTILINE))
    alerts = dict(re.findall(r"- alert: (\w+)\n.*?severity: (\w+)", (FOLDER / "alerts.yaml").read_text(), re.DOTALL))
    assert {name: severity.lower() for name, severity in sections.items()} == alerts
    for alert in (FOLDER / "alerts.yaml").read_text().split("- alert: ")[1:]:
        anchor = alert.split()[0].lower()
        assert f"runbook_url: https://github.com/@OWNER@/fleet-token/blob/main/docs/operate.md#{anchor}\n" in alert


TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def test_trace_reaches_audit_log_and_webhook(site, serve, webhook):
    site.ask_webhook(webhook.url)
    service = serve(site)
    response = service.request("/token/driver/v-1", ("traceparent", f"00-{TRACE}-00f067aa0ba902b7-01"), key=site.key)
    assert response.status == 200 and TRACE not in str(response.headers)
    assert service.audited(response)["traceId"] == TRACE
    (line,) = [line for line in service.logged(response) if line["message"] == "request"]
    assert line["trace_id"] == TRACE
    forwarded = webhook.questions[-1][1]["traceparent"]
    assert re.fullmatch(f"00-{TRACE}-[0-9a-f]{{16}}-01", forwarded) and "00f067aa0ba902b7" not in forwarded
    response = service.request("/token/driver/v-1", ("traceparent", f"00-{TRACE.upper()}-00f067aa0ba902b7-01"), key=site.key)
    assert response.status == 200
    assert "traceId" not in service.audited(response)
    assert TRACE.upper() not in service.read_log()
    assert "traceparent" not in webhook.questions[-1][1]
