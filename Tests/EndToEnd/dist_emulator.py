"""The emulator as it is released: a tarball, a Debian package and an image."""

import json
import re
import subprocess
import urllib.request

import pytest

from deployment import ROOT, run
from distribution import BASE, SHIP, ImageArchive, only, unpacked
from production import until

import dependencies

NAME = "fleet-engine-emulator"
PORTS = ["--port", "0", "--grpc-port", "0", "--control-port", "0"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    folder = tmp_path_factory.mktemp("local")
    archive = only(f"{NAME}-*.tar.gz")
    subprocess.run(["tar", "-xzf", archive, "-C", folder, "--strip-components=1"], check=True)
    return folder


def test_tarball_has_the_program_its_manual_and_completions(tree):
    version = run(tree / "bin" / NAME, "--version").stdout.strip()
    assert version == f"{NAME} {dependencies.product_version()}"
    assert (tree / f"share/man/man1/{NAME}.1.gz").exists()
    for path in (f"bash-completion/completions/{NAME}", f"zsh/vendor-completions/_{NAME}", f"fish/vendor_completions.d/{NAME}.fish"):
        assert (tree / "share" / path).stat().st_size > 500
    result = run("man", "--warnings", "--local-file", tree / f"share/man/man1/{NAME}.1.gz")
    assert result.returncode == 0 and not result.stderr, result.stderr
    assert "--export-on-exit" in result.stdout and "exec" in result.stdout


def test_notices_have_every_package_that_is_linked(tree):
    text = (tree / f"share/doc/{NAME}/THIRD-PARTY-NOTICES").read_text()
    packages = dependencies.linked_packages(ROOT / ".build/static-emulator")
    assert {"hummingbird", "jwt-kit", "grpc-swift-2"} <= {package.name for package in packages}
    assert all(f"\n{package.name} {package.version} (" in text for package in packages)
    components = json.loads(only(f"{NAME}-*.cdx.json").read_text())["components"]
    assert {package.name for package in packages} <= {component["name"] for component in components}


def test_package_installs_the_program_and_lintian_has_no_objection(tmp_path):
    package = only(f"{NAME}_*.deb")
    result = run("lintian", "--fail-on", "error,warning", "--tag-display-limit", "0", package)
    assert result.returncode == 0 and not re.search(r"(?m)^[EW]:", result.stdout), result.stdout
    root = unpacked(package, tmp_path / "root")
    assert (root / "usr/bin" / NAME).read_bytes() == (SHIP / NAME).read_bytes()
    assert "libc6 (>= " in run("dpkg-deb", "--field", package, "Depends").stdout


def test_image_answers_without_root(tmp_path):
    folder = BASE.parent / "emulator-image"
    run("rm", "-rf", folder)
    folder.mkdir()
    image = ImageArchive(only(f"{NAME}-*.docker.tar"), folder)
    configuration = image.configuration["config"]
    assert configuration["User"] == "65532:65532"
    assert set(configuration["ExposedPorts"]) == {"9190/tcp", "9191/tcp", "9192/tcp"}
    assert configuration["Entrypoint"][0] == f"/usr/local/bin/{NAME}"
    out = tmp_path / "out"
    with out.open("w") as output:
        process = subprocess.Popen(
            ["chroot", "--userspec=65532:65532", "--groups=", image.root, *configuration["Entrypoint"], *PORTS],
            stdout=output,
        )
    try:
        until(lambda: "Control-C" in out.read_text() or process.poll() is not None, "the emulator", 60)
        port = re.search(r"control plane is at http://[^:]+:(\d+)/", out.read_text()).group(1)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_emulator/ready", timeout=10) as answer:
            assert json.load(answer)["status"] == "ok"
    finally:
        process.terminate()
        assert process.wait(60) == 0
        run("rm", "-rf", folder)
