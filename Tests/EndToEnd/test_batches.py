"""Signatures that are made several at once: as good as others, proved before they leave, and given up when they are wrong."""

import concurrent.futures
import re
import subprocess

import jwt
import pytest

import lanes
from lanes import Lanes, sizes
from production import tool, until

REQUIRED = {"batch": "required"}


@pytest.fixture
def stand_in(site, tmp_path, monkeypatch):
    """A site whose library does what it is told."""
    library = Lanes(tmp_path, monkeypatch)
    site.configuration["signing"] = REQUIRED | {"library": str(library.path)}
    prepare(site)
    return library


@pytest.fixture
def batches(site, monkeypatch):
    """A site with Intel's library, found by its name."""
    if not lanes.has_instructions():
        pytest.skip("the processor has no AVX-512 IFMA; the library that stands in computes with libcrypto")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(lanes.FOLDER))
    site.configuration["signing"] = dict(REQUIRED)
    prepare(site)
    return site


def prepare(site):
    site.configuration["service"]["reuseSeconds"] = 0
    site.configuration["limits"] = {"caller": {"perMinute": 1_000_000, "burst": 100_000}, "signatures": 1000}
    for kind in ("consumer", "trusted_delivery_driver"):
        site.configuration["kinds"][kind] = {"serviceAccount": f"{kind}.json"}
    site.configuration["grants"]["backend-any"]["kinds"] = ["driver", "consumer", "trusted_delivery_driver"]


def ask_many(service, count=96, kinds=("driver", "consumer", "trusted_delivery_driver")):
    """Asks for tokens of several kinds at once."""
    paths = [f"/token/{kinds[number % len(kinds)]}/v-{number}" for number in range(count)]
    with concurrent.futures.ThreadPoolExecutor(24) as pool:
        return list(pool.map(lambda path: service.ask(path, key=service.site.key), paths))


def check(service, answers):
    keys = {key.key_id: key for key in service.key_set().keys}
    for answer in answers:
        assert answer.status == 200, answer.body
        key = keys[jwt.get_unverified_header(answer.token)["kid"]]
        jwt.decode(answer.token, key, algorithms=["RS256"], options={"verify_aud": False})


def value(service, name):
    return int(re.search(rf"^{name} (\d+)$", service.metrics(), re.M).group(1))


def ask_until_batched(service, number=1):
    """Asks until so many batches were made: callers decide what waits at the same time."""
    answers = []

    def enough():
        answers.extend(ask_many(service))
        return sum(sizes(service).values()) >= number

    until(enough, "a batch")
    return answers


# In use


def test_tokens_of_batches_are_valid(batches, serve):
    service = serve(batches)
    check(service, ask_until_batched(service, 20))
    made = sizes(service)
    assert set(made) <= set(range(3, 9))
    wasted = sum((8 - size) * count for size, count in made.items())
    assert value(service, "fleet_token_sign_lanes_wasted_total") == wasted
    assert value(service, "fleet_token_sign_lanes_wrong_total") == 0
    assert value(service, "fleet_token_sign_batch_duration_seconds_count") == sum(made.values())
    assert 'fleet_token_sign_batch_info{in_use="yes",reason="faster"} 1' in service.metrics()
    assert re.search(r"\[\+\]signing ok: Batch signing is in use: \d+\.\d times as fast as libcrypto\.", service.readyz()[1])
    assert "Batch signing is in use" in service.read_log()


def test_keys_of_all_sizes_are_signed_in_batches(batches, serve):
    for kind, bits in {"consumer": 3072, "trusted_delivery_driver": 4096}.items():
        path = batches.folder / f"{kind}.pem"
        subprocess.run(
            ["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{bits}", "-out", path],
            check=True, capture_output=True,
        )  # fmt: skip
        path.chmod(0o600)
        batches.configuration["kinds"][kind] = {"pem": path.name, "issuer": f"{kind}@fleet.example", "keyId": f"0123{bits}"}
    service = serve(batches)
    check(service, ask_until_batched(service, 10))


def test_reloads_and_promotions_change_the_keys_of_batches(batches, serve):
    service = serve(batches)
    ask_until_batched(service)
    before = {key.key_id for key in service.key_set().keys}
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        load = pool.submit(lambda: [answer for _ in range(10) for answer in ask_many(service)])
        for _ in range(5):
            reloads = service.reloads()
            service.hang_up()
            service.await_reload(after=reloads)
        # Another key of the same account signs from now on.
        tool("tokenctl", "keys", "new", batches.folder / "other.json", "--email", "driver@fleet.example")
        (batches.folder / "other.json").rename(batches.folder / "driver.json")
        reloads = service.reloads()
        service.hang_up()
        service.await_reload(after=reloads)
        answers = load.result()
    assert all(answer.status == 200 for answer in answers)
    keys = {key.key_id for key in service.key_set().keys}
    assert len(keys - before) == 1
    check(service, ask_many(service))


@pytest.mark.parametrize("name", lanes.NAMES)
def test_the_library_is_found_by_the_name_of_each_version(site, stand_in, monkeypatch, name):
    monkeypatch.setenv("LD_LIBRARY_PATH", str(stand_in.path.rename(site.folder / name).parent))
    site.configuration["signing"] = dict(REQUIRED)
    assert site.tokend("check").returncode == 0


def test_check_and_doctor_say_that_batches_are_made(batches):
    assert batches.tokend("check").returncode == 0
    result = tool("tokenctl", "doctor", "--offline", "--config", batches.write(), check=False, cwd=batches.folder)
    assert result.returncode == 0 and "Batch signing is in use" in result.stdout


# Faults


@pytest.mark.parametrize("order", ["wrong 2", "status 0"])
def test_a_wrong_signature_never_leaves_and_the_second_ends_batches(site, stand_in, serve, order):
    service = serve(site)
    ask_until_batched(service)
    stand_in.tell(order)
    answers = []

    def is_off():
        answers.extend(ask_many(service))
        return value(service, "fleet_token_sign_lanes_wrong_total") >= 2

    until(is_off, "two wrong signatures")
    stand_in.tell()
    made = sizes(service)
    answers += ask_many(service)
    check(service, answers)
    assert sizes(service) == made
    assert 'fleet_token_sign_batch_info{in_use="no",reason="faulty"} 1' in service.metrics()
    status, lines = service.readyz()
    assert status == 200 and "[-]signing failed: Batch signing is not in use: it returned 2 invalid signatures." in lines
    log = service.read_log()
    assert "Batch signing returned an invalid signature; it was recomputed with libcrypto." in log
    # It goes on, and so do its reloads, although batches are required at the start.
    reloads = service.reloads()
    service.hang_up()
    service.await_reload(after=reloads)


def test_a_slow_library_costs_time_only(site, stand_in, serve):
    service = serve(site)
    ask_until_batched(service)
    stand_in.tell("slow")
    check(service, ask_many(service, 24))


REASONS = {
    "wrong 7": "its signatures differed from libcrypto's in the self-test",
    "unsupported": "its signatures differed from libcrypto's in the self-test",
    "short": "its signatures differed from libcrypto's in the self-test",
    "slow": "it is not faster on this machine",
    "sizeless": "the library does not support keys of 2048 bits",
    "greedy": "the library does not support keys of 2048 bits",
}


@pytest.mark.parametrize(("order", "reason"), REASONS.items(), ids=REASONS)
def test_a_library_that_fails_its_test_is_not_used(site, stand_in, serve, order, reason):
    stand_in.tell(order)
    result = site.tokend("check")
    assert result.returncode == 1
    assert f"signing.batch: is required, but Batch signing is not in use: {reason}" in result.stderr
    site.configuration["signing"]["batch"] = "auto"
    result = site.tokend("check")
    assert result.returncode == 0 and f"signing.library: Batch signing is not in use: {reason}" in result.stderr
    service = serve(site)
    check(service, ask_many(service))
    assert sizes(service) == {}


# Without


def refusal(site):
    result = site.tokend("check")
    assert result.returncode == 1
    return result.stderr


def test_required_without_a_library_is_refused(site, stand_in):
    site.configuration["signing"]["library"] = "nowhere.so"
    assert "nowhere.so cannot be loaded" in refusal(site)
    site.configuration["signing"]["library"] = str(lanes.compile_library(site.folder, "INCOMPLETE", name="incomplete.so"))
    assert "incomplete.so is not the library crypto_mb: mbx_rsa_public_mb8 is missing." in refusal(site)


def test_a_processor_without_the_instructions_loads_nothing(site, stand_in, tmp_path, monkeypatch):
    (tmp_path / "cpuinfo").write_text("flags\t: fpu avx512f\n")
    site.configuration["signing"]["library"] = str(lanes.compile_library(site.folder, "CRASHES", name="crashes.so"))
    assert "Batch signing is not in use: the processor lacks adx, avx512_vbmi2, avx512bw" in refusal(site)
    (tmp_path / "cpuinfo").unlink()
    assert f"Batch signing is not in use: {tmp_path}/cpuinfo, which lists the processor's instructions, cannot be read." in refusal(site)
    site.configuration["signing"]["batch"] = "auto"
    assert site.tokend("check").returncode == 0


def test_off_loads_nothing(site, stand_in, serve):
    site.configuration["signing"] = {
        "batch": "off",
        "library": str(lanes.compile_library(site.folder, "CRASHES", name="crashes.so")),
    }
    service = serve(site)
    assert "[+]signing ok: Batch signing is not in use: signing.batch is off." in service.readyz()[1]
    # Without quotes, too.
    path = site.write()
    path.write_text(path.read_text().replace('"off"', "off"))
    assert tool("tokend", "check", "--config", path, check=False).returncode == 0


def test_a_library_that_others_may_change_is_not_loaded(site, stand_in):
    path = lanes.compile_library(site.folder, "CRASHES", name="crashes.so")
    path.chmod(0o777)
    site.configuration["signing"] = {"batch": "auto", "library": str(path)}
    assert "signing.library: " in refusal(site) and f"chmod go-w {path}" in refusal(site)


def test_a_library_that_crashes_when_it_is_loaded_is_named_in_the_log(site, stand_in, monkeypatch):
    monkeypatch.setenv("SWIFT_BACKTRACE", "enable=no")
    path = lanes.compile_library(site.folder, "CRASHES", name="crashes.so")
    site.configuration["signing"] = {"batch": "auto", "library": str(path)}
    result = site.tokend("serve")
    assert result.returncode < 0 and "Loading the batch signing library." in result.stderr
    assert str(path) in result.stderr
