"""The alerts on rates and states, fired by a running service in trouble, as if the trouble went on for an hour."""

import re
import threading
import time

import pytest

from issuer import Issuer
from production import until
from ports import free_port
from test_observability import FOLDER, needs_promtool, promtool
from webhook import Webhook, hang, reply

pytestmark = needs_promtool

PATH = "/token/driver/v-1"
ALERTS = (FOLDER / "alerts.yaml").read_text()
USED = set(re.findall(r"\b(?:fleet_token|process)_\w+", ALERTS))
def samples(service):
    """What the service shows, of the metrics that alerts use. Prometheus's tests begin in 1970, so moments are moved there."""
    now, found = time.time(), {}
    for line in service.metrics().splitlines():
        name, _, value = line.rpartition(" ")
        bare, _, labels = name.partition("{")
        if bare in USED:
            labels = ", ".join(filter(None, ['job="tokend"', 'instance="a"', labels.rstrip("}")]))
            moved = now if bare.endswith("_timestamp_seconds") and float(value) > 0 else 0
            found[f"{bare}{{{labels}}}"] = float(value) - moved
    return found


def firing(folder, before, after, minutes=60):
    """The alerts that fire if each minute adds to the counters what one has added, and nothing else changes."""
    series = {'up{job="tokend", instance="a"}': f"1x{minutes}"}
    for name, value in after.items():
        is_counter = re.match(r"\w+?_(total|count|sum|bucket)\{", name)
        if name.startswith("fleet_token_clock"):
            series[name] = f"{value}+60x{minutes}"
        elif is_counter:
            first = before.get(name, 0)
            series[name] = f"{first}+{value - first}x{minutes}"
        else:
            series[name] = f"{value}x{minutes}"
    lines = [f"rule_files: [{FOLDER / 'alerts.yaml'}]", "evaluation_interval: 1m", "tests:", "- interval: 1m", "  input_series:"]
    lines += [f"  - {{series: '{name}', values: '{values}'}}" for name, values in series.items()]
    # The samples that it expects are none, and it names those that it got.
    lines += ["  promql_expr_test:", "  - expr: count by (alertname) (ALERTS{alertstate=\"firing\"})", f"    eval_time: {minutes}m"]
    file = folder / "rules.yaml"
    file.write_text("\n".join(lines) + "\n")
    tested = promtool("test", "rules", file)
    output = tested.stdout + tested.stderr
    assert tested.returncode == 0 or "got:" in output, output
    return set(re.findall(r'alertname="(\w+)"', output.partition("got:")[2]))


def in_trouble(service, cause, tmp_path, minutes=60):
    """The alerts that fire if a cause happens each minute."""
    before = samples(service)
    cause()
    # The last request is counted soon after its response.
    until(lambda: samples(service).keys() >= before.keys(), "the page")
    return firing(tmp_path, before, samples(service), minutes)


def ask_together(service, count, **credentials):
    threads = [threading.Thread(target=service.ask, args=(f"/token/driver/v-{n}",), kwargs=credentials) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)


def test_nothing_fires_while_tokens_are_issued(plentiful, serve, tmp_path):
    service = serve(plentiful)
    assert in_trouble(service, lambda: [service.ask(PATH, key=plentiful.key) for _ in range(20)], tmp_path) == set()


@pytest.mark.parametrize(
    ("answer", "minutes", "expected"),
    [
        (reply(b"", 500), 60, {"FleetTokenWebhookFailing", "FleetTokenErrorBudgetFast", "FleetTokenNoTokens"}),
        (hang, 400, {"FleetTokenWebhookFailing", "FleetTokenErrorBudgetFast", "FleetTokenErrorBudgetSlow", "FleetTokenNoTokens",
                     "FleetTokenSlow"}),
    ],
    ids=["that-fails", "that-hangs"],
)  # fmt: skip
def test_a_webhook(plentiful, serve, tmp_path, answer, minutes, expected):
    webhook = Webhook({f"v-{number}": answer for number in range(20)})
    plentiful.ask_webhook(webhook.url, timeoutMilliseconds=1500)
    service = serve(plentiful)
    try:
        assert in_trouble(service, lambda: ask_together(service, 10, key=plentiful.key), tmp_path, minutes) == expected
    finally:
        webhook.stop()


def test_a_caller_whose_credentials_are_wrong(plentiful, serve, tmp_path):
    service = serve(plentiful)
    wrong = plentiful.key[:-4] + ("aaaa" if not plentiful.key.endswith("aaaa") else "bbbb")
    expected = {"FleetTokenAuthenticationFailures"}
    assert in_trouble(service, lambda: [service.ask(PATH, key=wrong) for _ in range(20)], tmp_path) == expected


def test_an_issuer_whose_keys_cannot_be_fetched(plentiful, serve, tmp_path):
    issuer = Issuer("https://id.example", algorithms=["ES256"])
    plentiful.configuration["callers"]["app"] = {
        "jwt": {"issuer": issuer.name, "audiences": ["tokend"], "algorithms": ["ES256"], "keysUrl": "https://localhost:1/keys"}
    }
    plentiful.configuration["grants"]["app"] = {"callers": ["app"], "kinds": ["driver"], "ids": "any"}
    service = serve(plentiful)
    for _ in range(5):
        service.ask(PATH, bearer=issuer.token())
        service.ask(PATH, key=plentiful.key)
    failed = re.compile(r'fleet_token_jwks_refresh_total\{.*result="failed"')
    until(lambda: any(failed.match(name) and value for name, value in samples(service).items()), "a fetch that fails")
    # Since the start, when the first fetch failed: the next one is due in a while.
    assert "FleetTokenKeyFetchesFailing" in firing(tmp_path, {}, samples(service))


def test_redis_that_is_unreachable(plentiful, serve, tmp_path):
    plentiful.configuration["limits"]["redis"] = {"address": f"127.0.0.1:{free_port()}"}
    service = serve(plentiful)
    assert in_trouble(service, lambda: service.ask(PATH, key=plentiful.key), tmp_path) == {"FleetTokenRedisAway"}


def test_a_changed_file_that_is_wrong(plentiful, serve, tmp_path):
    service = serve(plentiful)

    def cause():
        (plentiful.folder / "tokend.yaml").write_text("version: 1\nmistake: 1\n")
        service.reload("failed")

    assert in_trouble(service, cause, tmp_path) == {"FleetTokenReloadFailed"}
    plentiful.write()
