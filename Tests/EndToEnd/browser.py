"""A headless browser that fails a test for what a visitor would not see: errors, and violations of the page's policy."""

import os
import shutil

import pytest
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


@pytest.fixture(scope="module")
def chrome():
    path = next(filter(None, map(shutil.which, NAMES)), None)
    assert path, "No Chromium: install chromium-headless-shell."
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def browser(chrome):
    browser = Browser(chrome)
    yield browser
    browser.close()
    assert not browser.faults


def assert_accessible(page):
    """Checks names, roles, contrast and whatever else axe-core knows."""
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
