"""The real binaries, started as a user starts them."""

import os
import pathlib
import re
import signal
import subprocess

import pytest

BUILD = pathlib.Path(os.environ.get("FLEET_TOKEN_BUILD", pathlib.Path(__file__).parents[2] / ".build" / "debug"))


class Service:
    """A running tokend, with what it printed."""

    def __init__(self, arguments, environment=None):
        self.process = subprocess.Popen(
            [BUILD / "tokend", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )
        self.banner = ""
        while "Control-C" not in self.banner:
            line = self.process.stdout.readline().decode()
            if not line:
                raise RuntimeError("tokend ended: " + self.process.stderr.read().decode())
            self.banner += line
        self.url = re.search(r"http://\S+", self.banner).group()
        self.admin = re.findall(r"http://[^\s./]+(?:\.\d+)*:\d+", self.banner)[-1]

    def stop(self, number=signal.SIGTERM):
        """Ends it and returns its exit code and its log."""
        self.process.send_signal(number)
        _, log = self.process.communicate(timeout=60)
        return self.process.returncode, log.decode()


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


@pytest.fixture
def serve(tmp_path):
    """Starts tokend serve on free ports, and stops whatever a test left running."""
    from production import ProductionService

    services = []

    def serve(**options):
        folder = tmp_path / f"service-{len(services)}"
        folder.mkdir(mode=0o700)
        services.append(ProductionService(folder, **options))
        return services[-1]

    yield serve
    for service in services:
        service.stop()
