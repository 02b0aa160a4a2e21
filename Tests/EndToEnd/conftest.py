"""The real binaries, started as a user starts them."""

import pathlib
import re
import resource
import signal
import tempfile

import pytest

import secrecy
from build import BUILD
from production import KINDS, PLENTY, Production, Site, tool, until
from secrecy import ServiceProcess
from tokenctl import Tokenctl
from webhook import Webhook

# pytest finds its hooks here.
from skips import pytest_make_collect_report, pytest_runtest_makereport  # noqa: F401


# The files whose tests take longest, the longest first. Processes that share the tests take a file at a time: begun last, such
# a file would keep one busy while the others have nothing left.
LONGEST = [
    "test_observability.py", "test_rotation.py", "test_iam.py",
    "test_slow_dependencies.py", "test_openapi.py", "test_reload.py",
    "test_unauthenticated.py", "test_revocation.py", "test_discovery.py", "test_check_live.py", "test_helm.py", "test_fetch.py",
    "test_secret_rotation.py", "test_deploy.py", "test_grants.py",
]  # fmt: skip


def pytest_collection_modifyitems(items):
    order = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.name, len(order)))


class Service:
    """A running tokend dev, with what it printed."""

    def __init__(self, arguments, environment=None):
        # Files and not pipes, which are full at some time and then hold the service up.
        folder = tempfile.TemporaryDirectory()
        self.output, self.log = (pathlib.Path(folder.name) / name for name in ("stdout", "stderr"))
        with self.output.open("wb") as output, self.log.open("wb") as log:
            self.process = ServiceProcess(
                [BUILD / "tokend", *arguments], folder=pathlib.Path(arguments[arguments.index("--keys") + 1]),
                streams=[self.output, self.log], secrets=set(), environment=environment, stdout=output, stderr=log,
            )  # fmt: skip
        # The folder goes when nothing needs it any more, and the search for secrets comes last.
        self.process.output_folder = folder
        until(lambda: "Control-C" in self.banner or self.process.poll() is not None, "the banner", 60)
        if "Control-C" not in self.banner:
            raise RuntimeError("tokend ended: " + self.read_log())
        self.url = re.search(r"http://\S+", self.banner).group()
        self.admin = re.findall(r"http://[^\s./]+(?:\.\d+)*:\d+", self.banner)[-1]
        self.process.admin_port = int(self.admin.rpartition(":")[2])

    @property
    def banner(self):
        return self.output.read_text()

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(60), self.read_log()

    def read_log(self):
        return self.log.read_text()


@pytest.fixture(autouse=True)
def secrets_stay_secret():
    """Searches all that was written by the services that have ended, whoever started them."""
    yield
    secrecy.search()


@pytest.fixture(autouse=True, scope="session")
def secrets_stay_secret_to_the_end():
    """Searches what was written by those that several tests shared."""
    yield
    secrecy.search(everything=True)


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
            service.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def development(tmp_path_factory):
    keys = tmp_path_factory.mktemp("development") / "keys"
    service = Service(["dev", "--port", "0", "--admin-port", "0", "--keys", str(keys)])
    yield service
    service.stop()


@pytest.fixture(scope="session")
def accounts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("accounts")
    for kind in KINDS:
        tool("tokenctl", "keys", "new", folder / f"{kind}.json", "--email", f"{kind}@fleet.example")
    return folder


@pytest.fixture(scope="module")
def make_site(accounts, tmp_path_factory):
    return lambda: Site(tmp_path_factory.mktemp("site"), accounts)


@pytest.fixture
def site(make_site):
    return make_site()


@pytest.fixture
def plentiful(site):
    """A site where callers may ask until something happens."""
    site.configuration["limits"] = dict(PLENTY)
    return site


@pytest.fixture
def webhook():
    webhook = Webhook()
    yield webhook
    webhook.stop()


@pytest.fixture
def tokenctl(tmp_path):
    return Tokenctl(tmp_path)


def serving(make=Production, waits=True):
    services = []

    def serve(*arguments, **options):
        services.append(make(*arguments, **options))
        return services[-1]

    yield serve
    try:
        for service in services:
            if waits and service.process.poll() is None:
                code = service.stop()
                assert code == 0, f"tokend ended with {code}: {service.log.read_text()[-2000:]}"
    finally:
        for service in services:
            if service.process.poll() is None:
                service.process.kill()
                service.process.wait()


def serving_solo(make_site):
    """Starts services whose caller, `backend`, may have any token of the given kinds, with limits that are not in the way."""

    def make(kinds=("consumer",), tls=False, service=None, descriptors=None, environment=None, **limits):
        site = make_site()
        site.offer(kinds)
        if tls:
            site.use_tls("IP:127.0.0.1,DNS:localhost")
        site.configuration["service"] |= service or {}
        site.configuration["limits"] = PLENTY | limits
        most = (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2
        return Production(site, environment=environment, descriptors=descriptors or most)

    # What tests of connections left to it, nobody waits for.
    yield from serving(make, waits=False)


@pytest.fixture
def serve():
    yield from serving()


@pytest.fixture(scope="module")
def serve_for_module():
    yield from serving()


@pytest.fixture
def serve_solo(make_site):
    yield from serving_solo(make_site)


@pytest.fixture(scope="module")
def serve_solo_for_module(make_site):
    yield from serving_solo(make_site)
