"""A headless browser that fails a test for what a visitor would not see: errors, and violations of the page's policy."""

import contextlib
import os
import re
import shutil

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]

# Runs before the page's own scripts.
WATCH = "document.addEventListener('securitypolicyviolation', (event) => console.error('Policy violated: ' + event.violatedDirective))"


class Browser:
    """Opens pages, and keeps what they write to the console."""

    def __init__(self, browser):
        self.browser = browser
        self.faults = []
        self.contexts = []

    def open(self, url, width=1280, height=800, clock=True, **options):
        context = self.browser.new_context(viewport={"width": width, "height": height}, **options)
        self.contexts.append(context)
        context.add_init_script(WATCH)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._note)
        if clock:
            # Time passes only when the test says so.
            page.clock.install()
        page.goto(url)
        return page

    def _note(self, message):
        # The browser itself reports a status that a test wants.
        if message.type == "error" and "the server responded with a status of" not in message.text:
            self.faults.append(message.text)

    def close(self):
        while self.contexts:
            self.contexts.pop().close()


@contextlib.contextmanager
def chromium():
    path = next(filter(None, map(shutil.which, NAMES)), None)
    assert path, "No Chromium: install chromium-headless-shell."
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


def assert_accessible(page):
    """Checks names, roles, contrast and whatever else axe-core knows."""
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def rgb(color):
    """The red, green and blue of a color as CSS writes it."""
    if color.startswith("#"):
        return tuple(int(color[place:place + 2], 16) for place in (1, 3, 5))
    return tuple(int(float(part)) for part in re.findall(r"[\d.]+", color)[:3])


def contrast(one, other):
    """The contrast ratio of WCAG 2."""
    def luminance(color):
        red, green, blue = ((c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for c in (part / 255 for part in color))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


# The border of each control, and what is on both sides of it.
BORDERS = """() => {
    const background = (element) => {
        for (; element; element = element.parentElement) {
            const color = getComputedStyle(element).backgroundColor;
            if (!/, 0\\)$/.test(color)) return color;
        }
        return 'rgb(255, 255, 255)';
    };
    return [...document.querySelectorAll('button, select, input, textarea, meter')].filter((each) => each.offsetParent).map((each) => {
        const style = getComputedStyle(each);
        const side = ['Bottom', 'Left'].find((side) => parseFloat(style[`border${side}Width`]) > 0);
        return [each.id || each.className, side ? style[`border${side}Color`] : '', background(each.parentElement)];
    });
}"""


def assert_borders(page, least):
    """Checks that the borders of at least so many controls have a contrast of 3:1."""
    borders = page.evaluate(BORDERS)
    assert len(borders) >= least
    for name, border, ground in borders:
        assert border, f"{name} has no border"
        assert contrast(rgb(border), rgb(ground)) >= 3, f"{name}: {border} on {ground}"
