"""The caching library, through tokenctl, against the real tokend behind a proxy that misbehaves.

A token of L seconds is refreshed when it is 0.3 to 0.4 L old, and handed out until it is 0.5 L old. So callers who go
on for less than 0.5 L see no error, whatever happens after the first answer and however slow the machine is.

Loads run side by side, since most of their time is waiting.
"""

import json
import signal
import subprocess

import jwt
import pytest

from conftest import BUILD, Service
from proxy import Proxy, busy, cut, dead, dribble, end, forward, hang, outage, raw, reply, reset, signed, truncated

pytestmark = pytest.mark.alone

HOURS = 3600
CALLERS = 50
# The shortest pause after a first failure; the other half of the half second is drawn at random.
PAUSE = 0.25
# How much longer a server is left alone whose answer won't be better the next time.
DENIAL = 30

# What can go wrong with an answer, and for how long the server must then be left alone.
TROUBLES = {
    "429-seconds": (busy(1), 1 + PAUSE),
    "429-date": (busy(1, "date"), 1 + PAUSE),
    "429-date-by-a-clock-ahead": (busy(1, "date", skew=6 * HOURS), 1 + PAUSE),
    "429-date-by-a-clock-behind": (busy(1, "date", skew=-6 * HOURS), 1 + PAUSE),
    "501": (reply(501), PAUSE),
    "503": (reply(503), PAUSE),
    "522-seconds": (reply(522, Retry_After="1"), 1 + PAUSE),
    "end": (end, PAUSE),
    "reset": (reset, PAUSE),
    "cut": (cut, PAUSE),
    "no-http": (raw(b"HTTP/1.1 two hundred\r\n\r\n"), PAUSE),
    "redirection-nowhere": (reply(302), PAUSE),
    "expired": (signed(-5), PAUSE),
    "expired-by-a-clock-behind": (signed(-5, clock=-6 * HOURS), PAUSE),
    "dead": (dead, PAUSE),
    # When it was that the client gave up isn't known here.
    "hang": (hang, 0),
    "dribble": (dribble, 0),
    "challenge": (reply(401, WWW_Authenticate='Basic realm="tokens"'), DENIAL + PAUSE),
    "garbage": (reply(200, b"<html>Sign in to the network</html>"), DENIAL + PAUSE),
    "truncated": (truncated, DENIAL + PAUSE),
    "wrong-scope": (signed(600, vehicleid="another"), DENIAL + PAUSE),
}
# Those that are over soon come twice in a row, the others once; the number is how many seconds callers then go on.
QUICK = [name for name, (_, pause) in TROUBLES.items() if pause < DENIAL and name not in ("hang", "dribble")]
LONG = {"hang": 14, "dribble": 14, "challenge": 34, "garbage": 34, "wrong-scope": 34}


class Load:
    """Callers who ask for a token again and again, in a process of their own."""

    def __init__(self, proxy, id, script, seconds):
        proxy.scripts[id] = script
        self.proxy, self.id = proxy, id
        command = [BUILD / "tokenctl", "fetch", "--server", proxy.url, "--kind", "driver", "--id", id, "-o", "json"]
        command += ["--callers", str(CALLERS), "--for", str(seconds)]
        # They ask without a rest: the server and the proxy have to get their turn beside so many.
        command = ["nice", "-n", "5", *command]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self):
        """Waits for the end, and checks what holds in all weathers."""
        output, errors = self.process.communicate(timeout=120)
        self.exchanges = self.proxy.exchanges(self.id)
        self.numbers = json.loads(errors.splitlines()[0])
        assert self.numbers["calls"] >= CALLERS
        # The fetch that had just begun when the time was over may not have come here.
        assert 0 <= self.numbers["fetches"] - len(self.exchanges) <= 1
        assert max(exchange.in_flight for exchange in self.exchanges) == 1, "one fetch at a time"
        # Each of these loads ends with a token that can be used, be it an old one.
        assert (self.process.returncode, len(errors.splitlines())) == (0, 1), errors
        claims = jwt.decode(json.loads(output)["token"], options={"verify_signature": False})
        assert claims["authorization"] == {"vehicleid": self.id}
        return self

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    @property
    def gaps(self):
        """The seconds between each answer and the next request."""
        return [after.began - before.ended for before, after in zip(self.exchanges, self.exchanges[1:])]


class World:
    """A tokend, the proxy before it, and the loads upon them."""

    def __init__(self, keys):
        self.keys = keys
        self.service = self.start("0")
        self.proxy = Proxy(self.service.url, keys)
        self.loads = []

    def start(self, port):
        return Service(["dev", "--port", port, "--admin-port", "0", "--keys", str(self.keys)])

    def kill(self):
        self.service.stop(signal.SIGKILL)

    def restart(self):
        self.service = self.start(self.service.url.rsplit(":", 1)[1])

    def load(self, id, script, seconds):
        self.loads.append(Load(self.proxy, id, script, seconds))
        return self.loads[-1]

    def run(self, prefix, scripts, seconds):
        """Runs loads to their end, some at a time."""
        loads, names = {}, list(scripts)
        for start in range(0, len(names), 9):
            some = names[start : start + 9]
            loads.update({name: self.load(f"{prefix}-{name}", scripts[name], seconds) for name in some})
            for name in some:
                loads[name].process.wait(120)
        return loads

    def close(self):
        for load in self.loads:
            load.kill()
        self.proxy.close()
        if self.service.process.poll() is None:
            self.kill()


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("chaos") / "keys")
    yield world
    world.close()


@pytest.fixture(scope="module")
def long_loads(world):
    return {
        name: world.load(f"long-{name}", [TROUBLES[name][0], forward], seconds) for name, seconds in LONG.items()
    }


@pytest.fixture(scope="module")
def valid_loads(world, long_loads):
    scripts = {name: [signed(20), trouble] for name, (trouble, _) in TROUBLES.items()}
    scripts["clock-ahead"] = [signed(20, clock=6 * HOURS)]
    scripts["clock-behind"] = [signed(20, clock=-6 * HOURS)]
    return world.run("valid", scripts, 9)


@pytest.fixture(scope="module")
def cold_loads(world, valid_loads):
    return world.run("cold", {name: [TROUBLES[name][0], TROUBLES[name][0], forward] for name in QUICK}, 7)


@pytest.mark.parametrize("name", TROUBLES)
def test_trouble_goes_unnoticed_while_a_token_is_valid(valid_loads, name):
    load = valid_loads[name].end()
    assert load.numbers["errors"] == 0
    assert len(load.exchanges) >= 2, "there was trouble"
    assert all(gap >= TROUBLES[name][1] for gap in load.gaps[1:])
    assert len(load.exchanges) - 2 <= load.numbers["failedFetches"] <= len(load.exchanges) - 1


@pytest.mark.parametrize("name", ["clock-ahead", "clock-behind"])
def test_server_clock_that_is_hours_wrong_changes_nothing(valid_loads, name):
    load = valid_loads[name].end()
    assert load.numbers["errors"] == load.numbers["failedFetches"] == 0
    # The one after the first 6 to 8 seconds; none is due again before 12.
    assert [exchange.status for exchange in load.exchanges] == [200, 200]


@pytest.mark.parametrize("name", QUICK)
def test_cold_callers_recover_by_themselves(cold_loads, name):
    load = cold_loads[name].end()
    assert len(load.exchanges) == load.numbers["fetches"] == 3
    assert load.numbers["failedFetches"] == 2 and load.numbers["errors"] > 0 and load.numbers["hits"] > 0
    pause = TROUBLES[name][1]
    assert load.gaps[0] >= pause
    assert load.gaps[1] >= pause + PAUSE, "the pause doubles"


OUTAGE = 5
# Those that ask for no wait of their own.
RECOVERING = ["501", "503", "end", "reset", "cut", "no-http", "redirection-nowhere", "dead"]


@pytest.fixture(scope="module")
def outages(world):
    return world.run("outage", {name: [outage(OUTAGE, TROUBLES[name][0])] for name in RECOVERING}, OUTAGE + 10)


@pytest.mark.parametrize("name", RECOVERING)
def test_first_token_comes_soon_after_the_server_is_back(outages, name):
    load = outages[name].end()
    first, recovered = load.exchanges[0], load.exchanges[-1]
    late = recovered.began - first.began - OUTAGE
    print(f"{name}: {late:.1f} s after an outage of {OUTAGE} s, {len(load.exchanges)} requests")
    assert recovered.status == 200
    assert load.numbers["failedFetches"] == len(load.exchanges) - 1
    # The last of the pauses began before the server was back. They double from half a second: after four failures it is
    # four seconds at most, and if the pauses before were short, there are five failures and eight seconds.
    failures = len(load.exchanges) - 1
    assert 4 <= failures <= 5
    assert late <= 2 * PAUSE * 2 ** (failures - 1) + 1
    assert load.numbers["hits"] > 0


def test_restart_of_the_service_goes_unnoticed(world):
    world = World(world.keys)
    try:
        # It ends between two refreshes, which come about every four seconds.
        load = world.load("restarted", [signed(12)], 10)
        world.proxy.wait(lambda journal: any(exchange.status == 200 for exchange in journal))
        world.kill()
        world.proxy.wait(lambda journal: any(exchange.ended and exchange.status is None for exchange in journal[1:]))
        world.restart()
        load.end()
        statuses = [exchange.status for exchange in load.exchanges]
        assert statuses[0] == statuses[-1] == 200 and None in statuses
        assert all(gap >= PAUSE for gap, status in zip(load.gaps, statuses) if status is None)
        first, recovered = load.exchanges[0], load.exchanges[statuses.index(200, 1)]
        # The first token is good for six seconds; a service that takes longer to come back leaves a gap.
        if recovered.ended - first.began < 5:
            assert load.numbers["errors"] == 0
    finally:
        world.close()


@pytest.mark.parametrize("name", LONG)
def test_cold_callers_recover_in_the_end(long_loads, name):
    load = long_loads[name].end()
    assert len(load.exchanges) == load.numbers["fetches"] == 2
    assert load.numbers["failedFetches"] == 1 and load.numbers["errors"] > 0 and load.numbers["hits"] > 0
    assert load.gaps[0] >= TROUBLES[name][1]


def test_tokens_of_seconds_are_refreshed_one_at_a_time(world):
    load = world.load("seconds", [signed(2)], 4).end()
    # A token is fetched anew after 0.6 seconds at the earliest.
    assert 3 <= len(load.exchanges) <= 4 / 0.6 + 1
    assert all(exchange.status == 200 for exchange in load.exchanges)
    assert load.numbers["failedFetches"] == 0
