"""A PKCS#11 module that hangs or lies costs its own kinds only, and the operator is told which function of which module."""

import pathlib
import subprocess
import time

import pytest

import softhsm
from deployment import seconds_to_end
from production import until
from softhsm import MODULE, use

SOURCE = pathlib.Path(__file__).with_name("hostile_module.c")

pytestmark = pytest.mark.skipif(not MODULE.exists(), reason="SoftHSM is missing: Debian's package softhsm2")


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("module") / "hostile.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", path, SOURCE], check=True)
    return path


class Module:
    """The module, with what it was told and what was called."""

    def __init__(self, library, folder):
        self.library, self.control, self.log = library, folder / "control", folder / "calls"
        self.tell()

    def tell(self, *orders):
        new = self.control.with_suffix(".new")
        new.write_text("".join(f"{order}\n" for order in orders))
        new.rename(self.control)

    def calls(self, function):
        return self.log.read_text().splitlines().count(function) if self.log.exists() else 0

    @property
    def sessions(self):
        return self.calls("C_OpenSession") - self.calls("C_CloseSession")


@pytest.fixture
def module(library, tmp_path, monkeypatch):
    softhsm.copy(tmp_path, monkeypatch)
    module = Module(library, tmp_path)
    for name, value in {
        "HOSTILE_BEHIND": MODULE, "HOSTILE_CONTROL": module.control, "HOSTILE_LOG": module.log,
        # Google is away, which is a warning of the doctor's.
        "TOKEND_GOOGLE_EMULATOR_HOST": "127.0.0.1:1",
    }.items():
        monkeypatch.setenv(name, str(value))
    return module


@pytest.fixture
def hostile(site, module):
    """A site of which two kinds have a key in the module, and one has a key file."""
    site.configuration["service"]["reuseSeconds"] = 0
    for kind in ("driver", "trusted_delivery_driver"):
        use(site, module.library, kind=kind)
    site.configuration["kinds"]["consumer"] = {"serviceAccount": "consumer.json"}
    site.configuration["grants"]["backend-any"]["kinds"] = ["driver", "consumer", "trusted_delivery_driver"]
    return site


def ask(service, kind="driver"):
    return service.ask(f"/token/{kind}/v-1", key=service.site.key)


def stop_in_time(service):
    """Ends the service, which may take as long as docs/life-cycle.md says."""
    start = time.monotonic()
    code = service.stop()
    assert code == 0 and time.monotonic() - start < seconds_to_end(service.site.configuration)


# Hangs


@pytest.mark.parametrize("function", ["C_Initialize", "C_Sign"])
def test_a_hang_at_the_start_ends_it_and_is_said(hostile, module, function):
    module.tell(f"{function} hang")
    result = hostile.tokend("serve")
    assert result.returncode == 1
    assert f"{module.library} has not returned from {function}" in result.stderr
    # What waits behind the call that hangs is not waited for as well.
    assert module.calls(function) == 1


@pytest.mark.parametrize("function", ["C_Sign", "C_OpenSession"])
def test_a_hang_in_a_reload_is_a_failed_reload(hostile, module, serve, function):
    service = serve(hostile)
    assert ask(service).status == 200
    if function == "C_OpenSession":
        # What is open already is not opened again; another key is.
        use(hostile, module.library, key="other")
    module.tell(f"{function} hang")
    hostile.write()
    service.reload("failed")
    status, lines = service.readyz()
    text = f"{module.library} has not returned from {function}"
    assert status == 200
    assert f"[-]modules failed: {text}" in lines
    assert "[-]reload failed" in lines and text in lines.partition("[-]reload failed")[2]
    assert text in service.read_log()
    assert ask(service, "consumer").status == 200
    # It is over when the module returns.
    module.tell()
    loaded = service.reloads()
    until(lambda: "[+]modules ok" in service.readyz()[1], "the module to return")
    service.hang_up()
    service.await_reload(after=loaded)
    assert ask(service).status == 200
    until(lambda: module.sessions <= 2, "sessions that nobody uses to be closed")


def test_a_hang_in_a_mint_is_an_answer_a_record_and_a_log_line(hostile, module, serve):
    hostile.configuration["limits"] = {"handleSeconds": 3}
    service = serve(hostile)
    module.tell("C_Sign hang")
    for kind in ("driver", "trusted_delivery_driver", "driver"):
        answer = ask(service, kind)
        assert (answer.status, answer.reason) == (503, "SIGNER_UNAVAILABLE")
        assert int(answer.headers["Retry-After"]) > 0
        assert service.audited(answer)["decision"] != "allow"
    assert f"{module.library} has not returned from C_Sign" in service.read_log()
    text = f"[-]modules failed: {module.library} has not returned from C_Sign"
    until(lambda: text in service.readyz()[1], "/readyz to say what hangs")
    assert ask(service, "consumer").status == 200
    module.tell()
    until(lambda: ask(service).status == 200, "the module to return")


@pytest.mark.parametrize("when", ["mint", "reload"])
def test_a_hang_does_not_hold_up_the_end(hostile, module, serve, when):
    hostile.configuration["limits"] = {"handleSeconds": 3}
    service = serve(hostile)
    module.tell("C_Sign hang")
    called = module.calls("C_Sign")
    if when == "mint":
        assert ask(service).status == 503
    else:
        service.hang_up()
    until(lambda: module.calls("C_Sign") > called, "a call that hangs")
    stop_in_time(service)


# Sessions and PINs


def test_reloads_open_no_more_sessions(hostile, module, serve):
    service = serve(hostile)
    # One for the key, which two kinds share.
    assert module.sessions == 1
    before = service.resources()
    for count in range(1, 31):
        service.reload()
    assert (module.sessions, module.calls("C_OpenSession"), module.calls("C_Login")) == (1, 1, 1)
    assert all(now < then + 15 for now, then in zip(service.resources(), before, strict=True))
    use(hostile, module.library, key="other")
    use(hostile, module.library, key="other", kind="trusted_delivery_driver")
    hostile.write()
    service.reload()
    assert ask(service).status == 200
    until(lambda: module.sessions == 1, "the session of the former key to be closed")
    # Nor does one that finds no key.
    use(hostile, module.library, key="missing")
    hostile.write()
    service.reload("failed")
    assert (module.sessions, module.calls("C_OpenSession")) == (1, 3)


def test_a_token_that_was_away_is_opened_again(hostile, module, serve):
    service = serve(hostile)
    # The device failed or was removed; handles, an operation, the login, the token or the module's start were lost.
    losses = (0x30, 0x32, 0x60, 0x82, 0x90, 0xB0, 0xB3, 0xE0, 0x101, 0x190)
    for count, value in enumerate(losses, start=2):
        module.tell(f"C_SignInit return {value}")
        assert ask(service).status == 503
        assert (hex(value), module.calls("C_OpenSession"), module.sessions) == (hex(value), count, 1)
    module.tell()
    assert ask(service).status == 200


def test_a_key_that_was_replaced_leaves_no_session_open(hostile, module, serve):
    service = serve(hostile)
    # The token forgot its sessions, and has another key with the label.
    module.tell("C_SignInit return 179", "C_GetAttributeValue ones")
    for _ in range(3):
        assert ask(service).status == 503
    assert "has a different key labelled driver" in service.read_log()
    assert (module.sessions, module.calls("C_OpenSession")) == (0, 2)
    module.tell()
    service.reload()
    assert ask(service).status == 200
    assert module.sessions == 1


# Lies

LIES = {
    "a-key-that-may-not-sign": ("C_SignInit return 104", "the key is not allowed to sign"),
    "no-such-mechanism": ("C_SignInit return 112", "does not support RS256"),
    "a-device-that-fails": ("C_Sign return 48", "the token's device failed"),
    "all-slots-there-are": ("C_GetSlotList many", None),
    "tokens-without-a-label": ("C_GetTokenInfo garbage", "No token is labelled fleet"),
    "all-keys-there-are": ("C_FindObjects many", "more than one private RSA key"),
    "a-modulus-of-all-memory": ("C_GetAttributeValue many", "does not expose the public key"),
    "no-modulus": ("C_GetAttributeValue none", ""),
    "no-room-for-a-modulus": ("C_GetAttributeValue null", None),
    "a-modulus-of-zeros": ("C_GetAttributeValue zeros", ""),
    "a-modulus-of-ones": ("C_GetAttributeValue ones", "an invalid signature from C_Sign"),
    "a-signature-of-all-memory": ("C_Sign many", "an invalid signature from C_Sign"),
    "no-signature": ("C_Sign none", "invalid signature from C_Sign (0 bytes)"),
    "a-short-signature": ("C_Sign short", "invalid signature from C_Sign (3 bytes)"),
    "a-wrong-signature": ("C_Sign wrong", "invalid signature from C_Sign (256 bytes)"),
}


@pytest.mark.parametrize(("order", "text"), LIES.values(), ids=LIES)
def test_a_lie_is_an_error_and_no_crash(hostile, module, order, text):
    module.tell(order)
    result = hostile.tokend("check")
    doctor = hostile.doctor()
    if text is None:
        # It lies and still does what it should.
        assert (result.returncode, doctor.returncode) == (0, 0), result.stderr + doctor.stdout
    else:
        assert (result.returncode, doctor.returncode) == (1, 1), result.stderr + doctor.stdout
        assert text in result.stderr and text in doctor.stdout
        assert "kinds.driver" in result.stderr


def test_a_lie_while_it_runs_costs_one_answer(hostile, module, serve):
    service = serve(hostile)
    for order in ("C_Sign many", "C_Sign none", "C_Sign short", "C_Sign wrong", "C_SignInit return 104"):
        module.tell(order)
        answer = ask(service)
        assert (answer.status, answer.reason) == (503, "SIGNER_UNAVAILABLE")
        assert b'"token"' not in answer.body
        module.tell()
        assert ask(service).status == 200
