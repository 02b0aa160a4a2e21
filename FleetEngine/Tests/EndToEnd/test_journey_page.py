"""The journey page in a browser, with a scripted Fleet Engine."""

import re

import pytest
from playwright.sync_api import expect

from browser import assert_accessible, browser, chrome  # noqa: F401
from scripted_engine import REST, ROUTE, ScriptedEngine, complete, later, shipment, to_dropoff, trip

POLL = 5_100


@pytest.fixture
def engine():
    engine = ScriptedEngine()
    engine.answers = {"trip-1": trip(), "parcel-1": shipment()}
    yield engine
    engine.stop()


def open_trip(browser, engine, name="trip-1", **options):
    page = browser.open(f"{engine.url}/?trip={name}", **options)
    expect(page.locator("#live-text")).not_to_have_text("Connecting")
    return page


def marker(page, name):
    return page.locator(f"[data-marker={name}]")


def target(page, name):
    """What the keyboard and screen readers use of a marker."""
    return page.locator(f"[data-target={name}]")


def place(page, name):
    """Where a marker's point is on the map, in pixels."""
    return [float(part) for part in re.findall(r"-?[\d.]+", marker(page, name).get_attribute("transform"))]


def run_until_answered(page, milliseconds):
    """Runs the page's clock, in which the next request is sent. Time does not run while it waits for its answer."""
    with page.expect_response("**/v1/**"):
        page.clock.run_for(milliseconds)


def requests_of(engine):
    return sum("/v1/" in path for path in engine.requests)


def test_a_trip_is_followed_until_it_is_complete(browser, engine):
    page = open_trip(browser, engine, reduced_motion="reduce")
    expect(page.locator("#status")).to_have_text("On the way to the pickup point")
    expect(page.locator("#facts")).to_have_text("Pickup in 3 min · 640 m")
    expect(page.locator("#stops li")).to_contain_text(["Pickup", "Stop 1", "Drop-off"])
    for name, location in {"vehicle": ROUTE[0], "pickup": ROUTE[-1], "stop-0": REST[4], "dropoff": REST[-1]}.items():
        assert marker(page, name).get_attribute("data-location") == f"{location[0]},{location[1]}"
    assert "rotate(92)" in marker(page, "vehicle").locator(".art").get_attribute("transform")
    west, east = place(page, "vehicle"), place(page, "dropoff")
    assert 0 < west[0] < place(page, "pickup")[0] < place(page, "stop-0")[0] < east[0] < 888
    assert 0 < place(page, "pickup")[1] < west[1] < east[1] < 800
    expect(page.locator(".activeRoute.line")).to_have_attribute("stroke", "#1A6BE0")
    expect(page.locator(".remainingRoute.line")).to_have_count(2)

    engine.answers["trip-1"] = to_dropoff()
    page.clock.run_for(POLL)
    expect(page.locator("#status")).to_have_text("On the way to the drop-off point")
    expect(page.locator("#stops .past")).to_have_count(2)
    assert marker(page, "vehicle").get_attribute("data-location") == f"{REST[5][0]},{REST[5][1]}"
    assert "rotate(180)" in marker(page, "vehicle").locator(".art").get_attribute("transform")

    engine.answers["trip-1"] = complete()
    page.clock.run_for(POLL)
    expect(page.locator("#status")).to_have_text("Trip complete")
    expect(page.locator("#live-text")).to_have_text("Ended")
    expect(marker(page, "vehicle")).to_have_count(0)
    expect(page.locator(".routes polyline")).to_have_count(1)
    expect(page.locator(".finishedRoute")).to_have_count(1)
    count = requests_of(engine)
    page.clock.run_for(60_000)
    assert requests_of(engine) == count == 3


def test_an_error_before_the_first_response_is_the_only_message(browser, engine):
    engine.fault = (404, "NOT_FOUND", {})
    page = open_trip(browser, engine, "trip-9")
    expect(page.locator("#error-source")).to_have_text("The ID")
    expect(page.locator("#error-meaning")).to_have_text("Trip not found.")
    for hidden in ["#journey", "#zoom-in", "#zoom-out", "#recenter"]:
        expect(page.locator(hidden)).to_be_hidden()
    assert "Connecting" not in page.locator("main").inner_text()
    engine.fault, engine.answers["trip-9"] = None, trip("trip-9")
    run_until_answered(page, 15_000)
    for shown in ["#journey", "#zoom-in", "#zoom-out"]:
        expect(page.locator(shown)).to_be_visible()
    expect(page.locator("#error")).to_be_hidden()


def test_the_next_attempt_is_counted_down_and_can_be_made_now(browser, engine):
    page = open_trip(browser, engine)
    engine.fault = (503, "UNAVAILABLE", {"Retry-After": "600"})
    run_until_answered(page, POLL)
    expect(page.locator("#error-next")).to_contain_text("Next attempt in 10 min")
    expect(page.locator("#announcer")).to_have_text("Fleet Engine is not available. Recovers by itself.")
    page.clock.run_for(60_000)
    expect(page.locator("#error-next")).to_contain_text("Next attempt in 9 min")
    engine.fault = None
    with page.expect_response("**/v1/**"):
        page.click("#retry")
    expect(page.locator("#error")).to_be_hidden()
    expect(page.locator("#live-text")).to_have_text("Live")
    assert page.evaluate("document.activeElement.id") == "panel", "The focus is not lost with the button"


def test_the_map_has_other_styles(browser, engine):
    page = open_trip(browser, engine)
    page.click("#styles summary")
    page.select_option("#style-example", label="Guide: a vehicle marker of one's own")
    expect(marker(page, "vehicle").locator("rect.body")).to_have_count(1)
    assert "rotate" not in marker(page, "vehicle").locator(".art").get_attribute("transform"), "not flat"
    page.select_option("#style-example", label="Guide: the pickup marker shows the arrival time")
    expect(marker(page, "pickup").locator(".eta text")).to_have_text("3 min")
    page.select_option("#style-example", label="No stops, a thin green route")
    expect(marker(page, "pickup").locator(".eta")).to_have_count(0)
    expect(marker(page, "stop-0")).to_have_count(0)
    expect(page.locator(".activeRoute.line")).to_have_attribute("stroke", "#16703C")
    expect(page.locator(".remainingRoute.line")).to_have_count(0)
    page.select_option("#style-example", label="Defaults")
    expect(marker(page, "stop-0")).to_have_count(1)
    expect(page.locator(".activeRoute.line")).to_have_attribute("stroke", "#1A6BE0")


def test_an_old_location_is_not_live(browser, engine):
    answer = trip()
    answer["lastLocation"]["updateTime"] = later(-1260)
    engine.answers["trip-1"] = answer
    page = open_trip(browser, engine)
    expect(page.locator("#live-text")).to_have_text("Location from 21 min ago")
    expect(page.locator("#live")).to_have_attribute("data-state", "stale")
    expect(page.locator("#announcer")).to_contain_text("by an old location")
    expect(page.locator("#facts")).to_contain_text("Pickup in 3 min, by an old location")
    expect(marker(page, "pickup").locator(".label")).to_have_count(0)
    engine.answers["trip-1"] = trip()
    page.clock.run_for(POLL)
    expect(page.locator("#live-text")).to_have_text("Live")
    expect(marker(page, "pickup").locator(".label text")).to_have_text("3 min")
    engine.answers["trip-1"] = answer
    page.clock.run_for(POLL)
    expect(page.locator("#announcer")).to_have_text("Location from 21 min ago")


# What a click on the middle of the vehicle meets.
HIT = """() => {
    const { x, y, width, height } = document.querySelector('[data-target=vehicle] rect').getBoundingClientRect();
    const hit = document.elementFromPoint(x + width / 2, y + height / 2)?.closest('[data-marker], [data-target]');
    return hit?.dataset.marker ?? hit?.dataset.target;
}"""


@pytest.mark.parametrize("width, direction", [(1280, "ltr"), (1280, "rtl"), (390, "ltr"), (390, "rtl")])
def test_no_control_covers_the_vehicle_in_any_corner(browser, engine, width, direction):
    page = open_trip(browser, engine, f"trip-1&dir={direction}", width=width, reduced_motion="reduce")
    expect(page.locator("html")).to_have_attribute("dir", direction)
    for corner in [(24.99, 121.49), (24.99, 121.57), (25.09, 121.49), (25.09, 121.57)]:
        engine.answers["trip-1"] = trip(place=corner)
        page.clock.run_for(POLL)
        expect(marker(page, "vehicle")).to_have_attribute("data-location", f"{corner[0]},{corner[1]}")
        assert page.evaluate(HIT) == "vehicle", corner


def test_a_drag_releases_the_camera(browser, engine):
    page = open_trip(browser, engine, reduced_motion="reduce")
    before = place(page, "dropoff")
    page.mouse.move(300, 600)
    page.mouse.down()
    page.mouse.move(400, 650)
    page.mouse.up()
    after = place(page, "dropoff")
    assert after == pytest.approx([before[0] + 100, before[1] + 50], abs=0.2)
    page.clock.run_for(POLL)
    assert place(page, "dropoff") == after, "An update must not move a map that the user has moved"
    page.click("#recenter")
    page.clock.run_for(2000)
    assert place(page, "dropoff") == pytest.approx(before, abs=0.2)
    expect(page.locator("#recenter")).to_be_hidden()


def test_the_keyboard_suffices(browser, engine):
    page = open_trip(browser, engine, reduced_motion="reduce")
    focus = lambda: page.evaluate("document.activeElement.id || document.activeElement.dataset.target || document.activeElement.className")
    order = []
    while len(order) < 9:
        page.keyboard.press("Tab")
        order.append(focus())
    assert order[:2] == ["skip", "map"]
    assert order[2:6] == ["vehicle", "pickup", "stop-0", "dropoff"] and order[6:8] == ["zoom-in", "zoom-out"]
    target(page, "vehicle").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#marker-name")).to_have_text("Vehicle vehicle-1")
    expect(page.locator("#marker-detail")).to_have_text("The vehicle is heading east at 27 km/h.")
    expect(page.locator("#announcer")).to_have_text("Vehicle vehicle-1. The vehicle is heading east at 27 km/h.")
    page.locator("#marker-close").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#marker-card")).to_be_hidden()
    assert focus() == "vehicle"
    page.keyboard.press("Enter")
    expect(page.locator("#marker-card")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#marker-card")).to_be_hidden()
    assert focus() == "vehicle"
    page.locator("#map").focus()
    before = place(page, "vehicle")
    page.keyboard.press("ArrowLeft")
    assert place(page, "vehicle")[0] == pytest.approx(before[0] + 60, abs=0.2)
    page.keyboard.press("0")
    page.clock.run_for(2000)
    assert place(page, "vehicle") == pytest.approx(before, abs=0.2)


def test_no_token_is_where_it_can_be_read(browser, engine):
    page = open_trip(browser, engine)
    expect(page.locator("#token-life")).to_contain_text("min")
    signature = engine.tokens[0].rpartition(".")[2]
    kept = page.evaluate(
        "document.documentElement.outerHTML + JSON.stringify({...localStorage, ...sessionStorage}) + location.href + document.cookie"
    )
    assert "tripid: trip-1" in kept and signature not in kept and "eyJ" not in kept
    assert not any(signature in path for path in engine.requests)


def test_the_policy_holds(browser, engine):
    page = open_trip(browser, engine)
    page.evaluate("""() => {
        const script = document.createElement('script');
        script.textContent = 'window.injected = true';
        document.body.append(script);
    }""")
    assert page.evaluate("window.injected") is None
    assert browser.faults, "The policy's violation was not noticed"
    assert all("script-src" in fault for fault in browser.faults)
    browser.faults.clear()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_is_accessible(browser, engine, scheme, width):
    page = open_trip(browser, engine, width=width, height=844, color_scheme=scheme)
    page.click("#styles summary")
    target(page, "vehicle").focus()
    page.keyboard.press("Enter")
    for status, name in [(503, "UNAVAILABLE"), (403, "PERMISSION_DENIED")]:
        engine.fault = (status, name, {})
        page.clock.run_for(POLL)
        expect(page.locator("#error-code")).to_have_text(name)
        assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "It scrolls sideways"


def test_the_start_page_asks_for_an_id(browser, engine):
    page = browser.open(engine.url)
    assert_accessible(page)
    page.select_option("#id-kind", "tracking")
    page.fill("#id", "parcel-1")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("3 stops away")
    assert page.url == f"{engine.url}/?tracking=parcel-1"
