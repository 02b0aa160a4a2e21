"""The real binaries, started as a user starts them."""

import os
import re
import signal
import subprocess
import tempfile

import pytest

from build import BUILD
from production import KINDS, Production, Site, tool

# pytest finds its hooks here.
from skips import pytest_make_collect_report, pytest_runtest_makereport  # noqa: F401


class Service:
    """A running tokend, with what it printed."""

    def __init__(self, arguments, environment=None):
        # A file and not a pipe, which is full at some time and then holds the service up.
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [BUILD / "tokend", *arguments],
            stdout=subprocess.PIPE,
            stderr=self.log,
            env={**os.environ, **(environment or {})},
        )
        self.banner = ""
        while "Control-C" not in self.banner:
            line = self.process.stdout.readline().decode()
            if not line:
                self.process.wait()
                raise RuntimeError("tokend ended: " + self.read_log())
            self.banner += line
        self.url = re.search(r"http://\S+", self.banner).group()
        self.admin = re.findall(r"http://[^\s./]+(?:\.\d+)*:\d+", self.banner)[-1]

    def stop(self, number=signal.SIGTERM):
        """Ends it and returns its exit code and its log."""
        self.process.send_signal(number)
        self.process.communicate(timeout=60)
        return self.process.returncode, self.read_log()

    def read_log(self):
        self.log.seek(0)
        return self.log.read().decode()


@pytest.fixture
def start(tmp_path):
    """Starts tokend dev on free ports, and stops whatever a test left running."""
    services = []

    def start(*arguments, keys=tmp_path / "keys", **options):
        service = Service(["dev", "--port", "0", "--admin-port", "0", "--keys", str(keys), *arguments], **options)
        services.append(service)
        return service

    yield start
    for service in services:
        if service.process.poll() is None:
            service.process.kill()
            service.process.communicate()


@pytest.fixture(scope="session")
def accounts(tmp_path_factory):
    """A service account for each kind, made once."""
    folder = tmp_path_factory.mktemp("accounts")
    for kind in KINDS:
        tool("tokenctl", "keys", "new", folder / f"{kind}.json", "--email", f"{kind}@fleet.example")
    return folder


@pytest.fixture(scope="module")
def make_site(accounts, tmp_path_factory):
    """Makes folders for tokend serve."""
    return lambda: Site(tmp_path_factory.mktemp("site"), accounts)


@pytest.fixture
def site(make_site):
    """A folder for tokend serve, of one test's own."""
    return make_site()


@pytest.fixture(scope="module")
def serve_for_module():
    """Starts tokend serve, and in the end looks for secrets in all that it wrote."""
    yield from serving()


@pytest.fixture
def serve():
    """Starts tokend serve, and in the end looks for secrets in all that it wrote."""
    yield from serving()


def serving():
    services = []

    def serve(site, **options):
        services.append(Production(site, **options))
        return services[-1]

    yield serve
    try:
        for service in services:
            if service.process.poll() is None:
                code = service.stop()
                assert code == 0, f"tokend ended with {code}: {service.log.read_text()[-2000:]}"
    finally:
        for service in services:
            if service.process.poll() is None:
                service.process.kill()
                service.process.wait()


@pytest.fixture
def serve_solo(tmp_path):
    """Starts tokend serve with one caller on free ports, and stops whatever a test left running."""
    from solo_service import ProductionService

    services = []

    def serve(**options):
        folder = tmp_path / f"service-{len(services)}"
        folder.mkdir(mode=0o700)
        services.append(ProductionService(folder, **options))
        return services[-1]

    yield serve
    for service in services:
        service.stop()
