"""The journey page in a browser, with a scripted Fleet Engine."""

import json
import re

import pytest
from playwright.sync_api import expect

from browser import Browser, assert_accessible, assert_borders, chromium, rgb
from scripted_engine import REST, ROUTE, ScriptedEngine, complete, later, point, shipment, to_dropoff, trip

pytestmark = pytest.mark.browser

POLL = 5_100


@pytest.fixture(scope="module")
def chrome():
    with chromium() as browser:
        yield browser


@pytest.fixture
def browser(chrome):
    browser = Browser(chrome)
    yield browser
    browser.close()
    assert not browser.faults


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
    return engine.count("/v1/")


def test_a_trip_is_followed_until_it_is_complete(browser, engine):
    page = open_trip(browser, engine, reduced_motion="reduce")
    expect(page.locator("#status")).to_have_text("On the way to the pickup point")
    expect(page.locator("#facts")).to_have_text("Pickup in 3 min · 640 m · slow traffic")
    expect(page.locator("#stops li")).to_contain_text(["Pickup", "Stop 1", "Drop-off"])
    for name, location in {"vehicle": ROUTE[0], "pickup": ROUTE[-1], "stop-0": REST[4], "dropoff": REST[-1]}.items():
        assert marker(page, name).get_attribute("data-location") == f"{location[0]},{location[1]}"
    assert "rotate(92)" in marker(page, "vehicle").locator(".art").get_attribute("transform")
    west, east = place(page, "vehicle"), place(page, "dropoff")
    assert 0 < west[0] < place(page, "pickup")[0] < place(page, "stop-0")[0] < east[0] < 888
    assert 0 < place(page, "pickup")[1] < west[1] < east[1] < 800
    expect(page.locator(".activeRoute.line")).to_have_attribute("stroke", "#1A6BE0")
    expect(page.locator(".activeRoute.traffic.slow")).to_have_count(1)
    expect(page.locator(".remainingRoute.traffic.trafficJam")).to_have_count(1)

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


def test_a_rejected_token_is_replaced_unnoticed(browser, engine):
    page = open_trip(browser, engine)
    engine.rejected = {engine.tokens[0]}
    page.clock.run_for(POLL)
    expect(page.locator("#token-count")).to_have_text("2")
    expect(page.locator("#live-text")).to_have_text("Live")
    expect(page.locator("#error")).to_be_hidden()


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
    page.clock.run_for(60_000)
    expect(page.locator("#error-next")).to_contain_text("Next attempt in 9 min")
    engine.fault = None
    with page.expect_response("**/v1/**"):
        page.click("#retry")
    expect(page.locator("#error")).to_be_hidden()
    expect(page.locator("#live-text")).to_have_text("Live")
    assert page.evaluate("document.activeElement.id") == "panel", "The focus is not lost with the button"


def test_a_shipment_is_followed_by_its_tracking_id(browser, engine):
    page = browser.open(f"{engine.url}/?tracking=parcel-1", reduced_motion="reduce")
    expect(page.locator("#status")).to_have_text("3 stops away")
    expect(page.locator("#stops li")).to_contain_text(["after 2 other stops"])
    expect(page.locator("#stops .next")).to_have_count(0)
    expect(page.locator("#token-scope")).to_have_text("trackingid: parcel-1")
    assert marker(page, "delivery").get_attribute("data-location") == f"{REST[-1][0]},{REST[-1][1]}"
    engine.answers["parcel-1"] = shipment(remainingStopCount=1)
    page.clock.run_for(POLL)
    expect(page.locator("#status")).to_have_text("You are the next stop")
    engine.answers["parcel-1"] = shipment(state="CLOSED", taskOutcome="SUCCEEDED")
    page.clock.run_for(POLL)
    expect(page.locator("#status")).to_have_text("Delivered")
    expect(page.locator("#live-text")).to_have_text("Ended")


def test_a_delivery_that_failed_does_not_look_done(browser, engine):
    engine.answers["parcel-1"] = shipment(state="CLOSED", taskOutcome="FAILED")
    page = browser.open(f"{engine.url}/?tracking=parcel-1")
    expect(page.locator("#status")).to_have_text("Delivery failed")
    expect(page.locator("#stops li")).to_contain_text(["failed"])
    dot, good, bad = page.evaluate("""() => {
        const style = getComputedStyle(document.documentElement);
        return [getComputedStyle(document.querySelector('#stops li'), '::before').borderTopColor,
            ...['--good', '--bad'].map((name) => style.getPropertyValue(name).trim())];
    }""")
    assert rgb(dot) == rgb(bad) != rgb(good)


def test_styles_are_data(browser, engine):
    page = open_trip(browser, engine)
    page.click("#styles summary")
    page.select_option("#style-example", label="Guide: a vehicle marker of one's own")
    expect(marker(page, "vehicle").locator("rect.body")).to_have_count(1)
    assert "rotate" not in marker(page, "vehicle").locator(".art").get_attribute("transform"), "not flat"
    page.select_option("#style-example", label="Guide: traffic in yellow and purple")
    expect(page.locator(".activeRoute.traffic.slow")).to_have_attribute("stroke", "#FFFF00")
    page.select_option("#style-example", label="Guide: the pickup marker shows the arrival time")
    expect(marker(page, "pickup").locator(".eta text")).to_have_text("3 min")
    page.select_option("#style-example", label="Guide: back to the defaults")
    expect(page.locator(".traffic")).to_have_count(0)
    expect(page.locator("#legend")).to_be_hidden()
    expect(marker(page, "pickup").locator(".eta")).to_have_count(0)
    drawn = lambda: page.locator(".routes .line").evaluate_all("lines => lines.map(line => line.classList[0])")
    assert drawn() == ["remainingRoute", "remainingRoute", "activeRoute"]
    marked = lambda: page.locator("[data-marker]").evaluate_all("markers => markers.map(marker => marker.dataset.marker)")
    assert marked()[-1] == "vehicle"
    style = {"polylines": {"remainingRoute": {"zIndex": 1000, "isGeodesic": True}}, "markers": {"tripVehicle": {"zIndex": -1, "iconView": "van"}}}
    page.fill("#style-json", json.dumps(style))
    page.click("#style-apply")
    assert drawn() == ["activeRoute", "remainingRoute", "remainingRoute"]
    assert marked()[0] == "vehicle"
    expect(marker(page, "vehicle").locator("rect.body")).to_have_count(1)
    page.fill("#style-json", json.dumps({"markers": {"tripVehicle": {"isVisible": False}}}))
    page.click("#style-apply")
    expect(marker(page, "vehicle")).to_have_count(0)
    for wrong, message in [
        ("{", "not JSON"), ('{"markers": {"taxi": {}}}', "taxi"), ('{"polylines": {"activeRoute": {"color": "red"}}}', "color"),
        ('{"markers": {"tripVehicle": {"opacity": 1}}}', "opacity"), ('{"extra": 1}', "extra"),
    ]:
        page.fill("#style-json", wrong)
        page.click("#style-apply")
        expect(page.locator("#style-message")).to_contain_text(message)
        expect(marker(page, "vehicle")).to_have_count(0)


def test_arrival_times_are_refreshed_each_minute_without_an_update(browser, engine):
    page = open_trip(browser, engine)
    expect(marker(page, "pickup").locator(".label text")).to_have_text("3 min")
    engine.fault = (404, "NOT_FOUND", {})
    page.clock.run_for(61_000)
    expect(marker(page, "pickup").locator(".label text")).to_have_text("2 min")
    expect(page.locator("#facts")).to_contain_text("Pickup in 2 min")


def test_arrival_times_are_by_fleet_engines_clock(browser, engine):
    """The demo's time passes faster, and a device's clock is possibly wrong."""
    answer = trip()
    answer["lastLocation"]["serverTime"] = later(120)
    engine.answers["trip-1"] = answer
    page = open_trip(browser, engine)
    expect(marker(page, "pickup").locator(".label text")).to_have_text("1 min")
    expect(page.locator("#facts")).to_contain_text("Pickup in 1 min")


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


@pytest.mark.parametrize("width, direction", [(1280, "ltr"), (390, "ltr"), (1280, "rtl"), (390, "rtl")])
@pytest.mark.parametrize("corner", [(0, 0), (0, 1), (1, 0), (1, 1)], ids=["south-west", "south-east", "north-west", "north-east"])
def test_a_vehicle_in_a_corner_can_be_clicked(browser, engine, width, direction, corner):
    """The legend and the zoom buttons are there, and hide no end of the route."""
    north, east = corner
    ends = [(25.03 + 0.02 * north, 121.51 + 0.02 * east), (25.03 + 0.02 * (1 - north), 121.51 + 0.02 * (1 - east))]
    path = [point(ends[0]), point((25.04, 121.52)), point(ends[1])]
    traffic = {"speedReadingInterval": [{"startPolylinePointIndex": 0, "endPolylinePointIndex": 2, "speed": "SLOW"}]}
    engine.answers["trip-1"] = trip(
        place=ends[0], pickupPoint={"point": point(ends[1])}, dropoffPoint=None, intermediateDestinations=[], route=path,
        currentRouteSegmentTraffic=traffic, remainingWaypoints=[])
    page = open_trip(browser, engine, width=width, height=844, reduced_motion="reduce")
    page.evaluate(f"document.documentElement.dir = '{direction}'")
    page.clock.run_for(POLL)
    expect(page.locator("#legend")).to_be_visible()
    for name in ["vehicle", "pickup"]:
        box = marker(page, name).locator(".art").bounding_box()
        found = page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y)?.closest('[data-marker], [data-target]')?.outerHTML.slice(0, 60)",
            [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
        assert found and name in found, f"{name} is behind {found}"


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


def test_a_tapped_marker_says_what_it_is(browser, engine):
    page = open_trip(browser, engine, has_touch=True)
    marker(page, "pickup").locator(".mark").last.tap()
    expect(page.locator("#marker-name")).to_have_text("Pickup point")
    expect(page.locator("#marker-detail")).to_contain_text("The trip begins here.")


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
    page.click("#faults summary")
    page.click("#styles summary")
    target(page, "vehicle").focus()
    page.keyboard.press("Enter")
    for status, name in [(503, "UNAVAILABLE"), (403, "PERMISSION_DENIED")]:
        engine.fault = (status, name, {})
        page.clock.run_for(POLL)
        expect(page.locator("#error-code")).to_have_text(name)
        assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "It scrolls sideways"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/?trip=trip-1"])
def test_borders_of_controls_have_a_contrast_of_three_to_one(browser, engine, scheme, path):
    page = browser.open(engine.url + path, color_scheme=scheme)
    if path != "/":
        expect(page.locator("#live-text")).to_have_text("Live")
        page.click("#faults summary")
        page.click("#styles summary")
        engine.fault = (503, "UNAVAILABLE", {})
        run_until_answered(page, POLL)
        expect(page.locator("#retry")).to_be_visible()
    assert_borders(page, 3 if path == "/" else 8)


def test_traffic_is_not_told_by_colour_alone(browser, engine):
    page = open_trip(browser, engine)
    dashes = {
        kind: page.locator(f".mark.{kind}").first.evaluate("line => getComputedStyle(line).strokeDasharray")
        for kind in ["slow", "trafficJam"]
    }
    assert len({"none", *dashes.values()}) == 3, dashes
    expect(page.locator("#legend")).to_be_visible()
    expect(page.locator("#facts")).to_contain_text("slow traffic")


@pytest.mark.parametrize("width", [1280, 390])
def test_labels_are_inside_the_map_while_their_markers_are(browser, engine, width):
    page = open_trip(browser, engine, width=width, height=844, reduced_motion="reduce")
    around = page.locator("#map").bounding_box()
    for goal in [lambda x, y: (around["width"] - 4, y), lambda x, y: (4, y), lambda x, y: (x, 20)]:
        x, y = place(page, "dropoff")
        to_x, to_y = goal(x, y)
        # A place without a marker or a button.
        page.mouse.move(around["width"] / 2, 8)
        page.mouse.down()
        page.mouse.move(around["width"] / 2 + to_x - x, 8 + to_y - y)
        page.mouse.up()
        assert place(page, "dropoff") == pytest.approx([to_x, to_y], abs=0.2)
        box = marker(page, "dropoff").locator(".label").bounding_box()
        assert around["x"] <= box["x"] and box["x"] + box["width"] <= around["x"] + around["width"]
        assert around["y"] <= box["y"]


def test_another_language_is_one_table(browser, engine):
    page = open_trip(browser, engine, locale="zh-TW")
    assert page.locator("html").get_attribute("lang") == "zh-Hant"
    expect(page.locator("#status")).to_have_text("正前往上車地點")
    expect(page.locator("#facts")).to_have_text("3 分鐘後上車 · 640 公尺 · 車流緩慢")
    engine.fault = (403, "PERMISSION_DENIED", {})
    run_until_answered(page, POLL)
    expect(page.locator("#error-meaning")).to_have_text("權杖不允許這項操作。")
    page.click("#faults summary")
    page.click("#styles summary")
    words = page.evaluate("""() => {
        const main = document.querySelector('main').cloneNode(true);
        const given = main.querySelectorAll('option, #error-detail, #error-code, #token-scope, textarea');
        for (const each of given) each.remove();
        return main.textContent;
    }""")
    english = set(re.findall(r"[A-Za-z]{2,}", words)) - {"Fleet", "Engine", "JSON", "ID", "trip"}
    assert not english, english
    # The address chooses as well, and without a translation the page is English.
    engine.fault = None
    expect(open_trip(browser, engine, locale="fr-FR").locator("#status")).to_have_text("On the way to the pickup point")
    page = browser.open(f"{engine.url}/?trip=trip-1&lang=zh-Hant", locale="en-US")
    expect(page.locator("#status")).to_have_text("正前往上車地點")


# Whether the first letter of a text is left of its last.
FIRST_BEFORE_LAST = """element => {
  const [text] = [...element.childNodes];
  const left = (start, end) => {
    const range = document.createRange();
    range.setStart(text, start);
    range.setEnd(text, end);
    return range.getBoundingClientRect().left;
  };
  return left(0, 1) < left(text.length - 1, text.length);
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_it_can_be_read_from_right_to_left(browser, engine, width):
    page = open_trip(browser, engine, width=width, height=844)
    page.evaluate("document.documentElement.dir = 'rtl'")
    start = lambda selector: page.locator(selector).evaluate(
        "element => { const box = element.getBoundingClientRect(); const all = element.parentElement.getBoundingClientRect();"
        "return [all.right - box.right, box.left - all.left]; }")
    for selector in ["#stops li .name", "#title"]:
        right, left = start(f"{selector} >> nth=0")
        assert right <= 30 < left, f"{selector} begins {right} from the right"
    right, left = start(".tools")
    assert left == 16 < right
    # Texts of the other direction are read from their own side: "10:47 AM", not "AM 10:47".
    for selector in ["#stops time >> nth=0", ".label text >> nth=0"]:
        assert page.locator(selector).evaluate(FIRST_BEFORE_LAST), selector
    page.click("#zoom-in")
    scale, tools = page.locator(".scale").bounding_box(), page.locator(".tools").bounding_box()
    assert scale["x"] > tools["x"] + tools["width"], "The scale is on the other side"
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "It scrolls sideways"
    assert_accessible(page)


def test_no_tiles_are_requested_unless_a_deployment_chooses_them(browser, engine):
    page = open_trip(browser, engine)
    expect(page.locator(".tiles")).to_have_count(0)
    expect(page.locator("#attribution")).to_be_hidden()


def test_tiles_are_below_the_journey_with_their_attribution(browser, engine):
    engine.tiles = {"url": "/tiles/{z}/{x}/{y}.png", "attribution": "© Test", "attributionURL": "https://tiles.example/copyright"}
    page = open_trip(browser, engine, reduced_motion="reduce")
    expect(page.locator(".tiles img")).not_to_have_count(0)
    expect(page.locator("#attribution a")).to_have_attribute("href", "https://tiles.example/copyright")
    requests = [path for path in engine.requests if path.startswith("/tiles/")]
    assert requests and all(re.fullmatch(r"/tiles/\d+/\d+/\d+\.png", path) for path in requests)
    assert page.evaluate("document.elementFromPoint(300, 500).closest('svg.canvas') !== null"), "The tiles are below"
    assert_accessible(page)


def test_the_policy_refuses_tiles_of_a_server_that_it_does_not_name(browser, engine):
    engine.tiles = {"url": "https://tiles.example/{z}/{x}/{y}.png", "attribution": "© Test"}
    open_trip(browser, engine)
    # Before the faults are read, so that no tile is asked for meanwhile.
    browser.close()
    assert browser.faults and all("img-src" in fault for fault in browser.faults)
    browser.faults.clear()


def test_the_start_page_asks_for_an_id(browser, engine):
    page = browser.open(engine.url)
    assert_accessible(page)
    page.select_option("#id-kind", "tracking")
    page.fill("#id", "parcel-1")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("3 stops away")
    assert page.url == f"{engine.url}/?tracking=parcel-1"


def test_faults_are_injected_from_the_page(browser, engine):
    page = open_trip(browser, engine)
    page.click("#faults summary")
    page.select_option("#fault", label="503 Fleet Engine is not available")
    expect(page.locator("#fault-message")).to_contain_text("Injected")
    page.clock.run_for(POLL)
    expect(page.locator("#error-code")).to_have_text("UNAVAILABLE")
    page.select_option("#fault", label="None")
    expect(page.locator("#fault-message")).to_have_text("No fault is injected.")
    page.clock.run_for(POLL)
    expect(page.locator("#error")).to_be_hidden()


def test_a_vehicle_moves_smoothly_unless_motion_is_unwanted(browser, engine):
    for motion, jumps in [("no-preference", False), ("reduce", True)]:
        engine.answers["trip-1"] = trip()
        page = open_trip(browser, engine, reduced_motion=motion)
        page.clock.run_for(2000)
        page.locator("#map").focus()
        page.keyboard.press("ArrowDown")
        engine.answers["trip-1"] = trip(place=ROUTE[1])
        before = place(page, "vehicle")
        page.clock.run_for(4900)
        expect(marker(page, "vehicle")).to_have_attribute("data-location", f"{ROUTE[1][0]},{ROUTE[1][1]}")
        page.clock.run_for(32)
        moved = place(page, "vehicle")[0] - before[0]
        page.clock.run_for(2000)
        whole = place(page, "vehicle")[0] - before[0]
        assert whole > 10
        assert (moved == whole) is jumps
