"""The real binaries, started as a user starts them."""

import resource
import signal

import pytest

import secrecy
from production import KINDS, PLENTY, Development, Production, tool
from sites import Site
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
        services.append(Development(*arguments, keys=keys, **options))
        return services[-1]

    yield start
    for service in services:
        if service.process.poll() is None:
            service.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def development(tmp_path_factory):
    service = Development(keys=tmp_path_factory.mktemp("development") / "keys")
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
    """Starts services whose caller, `backend`, may have any token of the given kinds; no test reaches their limits."""

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
