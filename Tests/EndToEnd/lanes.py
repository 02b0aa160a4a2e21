"""Libraries that sign several messages at once: Intel's where the processor can, and one that does what a test tells it."""

import pathlib
import re
import subprocess
import sysconfig

ROOT = pathlib.Path(__file__).parents[2]
SOURCE = ROOT / "Tests" / "Lanes" / "lanes.c"
NAMES = [f"libcrypto_mb.so.{version}" for version in (13, 12, 11)]
# Where pip puts it: no folder of the loader's.
FOLDER = pathlib.Path(sysconfig.get_path("data")) / "lib"
FLAGS = ["adx", "avx512bw", "avx512dq", "avx512f", "avx512ifma", "avx512_vbmi2", "avx512vl", "bmi2"]


def sizes(service):
    """How many batches of each size a service has made."""
    found = re.findall(r'^fleet_token_sign_batches_total\{signatures="(\d)"\} (\d+)$', service.metrics(), re.M)
    return {int(size): int(count) for size, count in found if count != "0"}


def has_instructions():
    words = pathlib.Path("/proc/cpuinfo").read_text().split()
    return all(flag in words for flag in FLAGS)


def compile_library(folder, *definitions, name=NAMES[0]):
    """Makes the one that does what it is told; it computes with libcrypto."""
    path = folder / name
    definitions = [f"-D{definition}" for definition in definitions]
    command = ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", *definitions, "-o", path, SOURCE, "-lcrypto"]
    subprocess.run(command, check=True)
    return path


class Lanes:
    """A library for one test."""

    def __init__(self, folder, monkeypatch, path=None):
        self.control = folder / "lanes-control"
        self.path = path or compile_library(folder)
        cpuinfo = folder / "cpuinfo"
        cpuinfo.write_text(f"flags\t\t: fpu {' '.join(FLAGS)}\n")
        monkeypatch.setenv("TOKEND_CPUINFO", str(cpuinfo))
        monkeypatch.setenv("LANES_CONTROL", str(self.control))

    def tell(self, *orders):
        """Replaces all orders, at once."""
        new = self.control.with_suffix(".new")
        new.write_text("".join(f"{order}\n" for order in orders))
        new.rename(self.control)
