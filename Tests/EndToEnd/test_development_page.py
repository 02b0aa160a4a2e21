"""The page at / of tokend dev, in a browser."""

import json
import shlex
import subprocess

import jwt
import pytest
from playwright.sync_api import expect

from browser import assert_accessible, browser, chrome  # noqa: F401
from build import BUILD

pytestmark = pytest.mark.browser


def open_page(browser, service, **options):
    return browser.open(service.url + "/", clock=False, **options)


def submit(page):
    page.click("text=Get a token")
    expect(page.locator("#result")).to_be_visible()
    return json.loads(page.locator("#claims").inner_text())


def test_it_shows_what_a_token_of_each_kind_says(browser, start):
    page = open_page(browser, start(), permissions=["clipboard-read", "clipboard-write"])
    kinds = page.locator("#kind option").evaluate_all("options => options.map(option => option.value)")
    assert len(kinds) == 9
    for kind in kinds:
        page.select_option("#kind", kind)
        expect(page.locator("#result")).to_be_hidden()
        claims = submit(page)
        assert claims["authorization"] and claims["exp"] - claims["iat"] == 3600
        expect(page.locator("#life")).to_contain_text("in 58 min")
    page.click("#copy")
    expect(page.locator("#copy")).to_have_text("Copied")
    token = page.evaluate("navigator.clipboard.readText()")
    assert jwt.decode(token, options={"verify_signature": False}) == claims
    kept = page.evaluate(
        "document.documentElement.outerHTML + JSON.stringify({...localStorage, ...sessionStorage}) + location.href + document.cookie"
    )
    assert token not in kept and token.rpartition(".")[2] not in kept


@pytest.mark.parametrize("kind, name", [("consumer", "trip-1"), ("driver", "(a)@b$c!"), ("fleet_reader", None)])
def test_its_commands_work_when_pasted(browser, start, kind, name):
    page = open_page(browser, start())
    page.select_option("#kind", kind)
    if name:
        page.fill("#id", name)
    claims = submit(page)
    curl = page.locator("#curl").inner_text()
    response = json.loads(subprocess.run(["sh", "-c", curl], capture_output=True, check=True, timeout=60).stdout)
    tokenctl = shlex.split(page.locator("#tokenctl").inner_text())
    # No option breaks after its hyphens.
    assert page.evaluate("[...document.querySelectorAll('pre span')].every((word) => !/^--/.test(word.innerText) || word.offsetHeight < 30)")
    assert tokenctl[0] == "tokenctl"
    fetched = subprocess.run([BUILD / "tokenctl", *tokenctl[1:]], capture_output=True, check=True, timeout=60, text=True)
    for token in [response["token"], fetched.stdout]:
        decoded = jwt.decode(token.strip(), options={"verify_signature": False})
        assert decoded["authorization"] == claims["authorization"]


def test_a_refusal_says_what_to_do(browser, start):
    service = start()
    page = open_page(browser, service)
    page.fill("#id", "a*b")
    page.click("text=Get a token")
    expect(page.locator("#id-problem")).to_contain_text("Use none of")
    expect(page.locator("#id")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#id")).to_be_focused()
    expect(page.locator("#result")).to_be_hidden()
    assert_accessible(page)
    page.fill("#id", "")
    expect(page.locator("#id-problem")).to_be_empty()
    page.click("text=Get a token")
    expect(page.locator("#id-problem")).to_contain_text("tripId")
    assert page.locator("#curl").inner_text().endswith("/token/consumer/trip-1")
    page.select_option("#kind", "trusted_delivery_driver")
    page.fill("#task", "a*b")
    page.click("text=Get a token")
    expect(page.locator("#task-problem")).to_contain_text("ID")
    expect(page.locator("#id-problem")).to_be_empty()
    page.fill("#id", "a*b")
    page.click("text=Get a token")
    expect(page.locator("#id-problem")).to_contain_text("ID")
    expect(page.locator("#task-problem")).to_be_empty()
    page.fill("#id", "van-1")
    service.stop()
    page.click("text=Get a token")
    expect(page.locator("#message")).to_have_text("The service is unreachable.")
    browser.faults.clear()


def test_it_is_accessible_and_its_policy_holds(browser, start):
    service = start()
    for scheme, width in [("light", 390), ("dark", 1280)]:
        page = open_page(browser, service, width=width, color_scheme=scheme)
        submit(page)
        assert_accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not browser.faults
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.injected = 1'}))")
    assert page.evaluate("window.injected") is None
    assert browser.faults and all("script-src" in fault for fault in browser.faults)
    browser.faults.clear()
