"""The machine, paths, and programs pinned to cores."""

import os
import pathlib
import platform
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).parents[2]
sys.path.append(str(ROOT / "Tests" / "EndToEnd"))

from ports import free_port  # noqa: E402, F401

BENCHMARKS = ROOT / "Benchmarks"
RELEASE = pathlib.Path(os.environ.get("FLEET_TOKEN_BUILD", ROOT / ".build/ship"))
WORK = ROOT / ".build/bench"
# Debian's nginx, installed or only unpacked; the binary is the same.
INSTALLED_NGINX = pathlib.Path("/usr/sbin/nginx")
NGINX = INSTALLED_NGINX if INSTALLED_NGINX.exists() else WORK / "nginx/usr/sbin/nginx"

# A server runs on the first core or on both. The load runs on the other core, or on the same two.
SERVER = "0"
LOAD = "1" if (os.cpu_count() or 1) > 1 else "0"
BOTH = f"{SERVER},{LOAD}"


def pinned(cores, *command):
    return ["taskset", "-c", cores, *map(str, command)]


def run(cores, *command, environment=None, timeout=900):
    """Runs a program to completion on some cores; returns its output and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        pinned(cores, *command),
        capture_output=True,
        text=True,
        timeout=timeout,
        env=os.environ | (environment or {}),
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {(done.stderr or done.stdout)[-2000:]}")
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def until(condition, what, seconds=60, pause=0.001):
    """Waits until a condition holds; gives up after a generous timeout."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited in vain for {what}")
        time.sleep(pause)


def cpu_seconds(pid):
    """Returns a process's CPU time: nanoseconds from the scheduler, summed over its threads."""
    tasks = pathlib.Path(f"/proc/{pid}/task")
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e9


def stolen():
    """Returns the seconds stolen by the hypervisor; figures from such times are unreliable."""
    with open("/proc/stat") as file:
        return int(file.readline().split()[8]) / os.sysconf("SC_CLK_TCK")


def memory(pid, field="VmRSS"):
    """Returns a process's memory in MiB; `VmHWM` is its peak."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(status.split(field + ":")[1].split()[0]) / 1024


def description():
    """Returns a description of the machine and the compared programs."""

    def line(*command):
        if not shutil.which(command[0]):
            return "missing"
        done = subprocess.run(command, capture_output=True, text=True)
        return ((done.stdout or done.stderr).splitlines() or ["?"])[0] if done.returncode == 0 else "unknown"

    model = [text.split(":")[1].strip() for text in open("/proc/cpuinfo") if text.startswith("model name")]
    return {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "cpu": model[0] if model else platform.processor(),
        "cores": os.cpu_count(),
        "avx512ifma": "avx512ifma" in open("/proc/cpuinfo").read(),
        "kernel": platform.release(),
        "load": round(os.getloadavg()[0], 2),
        # Of what was measured: "tokend 0.1.0 (546481f7d0ba)".
        "commit": line(str(RELEASE / "tokend"), "--version").rpartition("(")[2][:8],
        "swift": line("swift", "--version"),
        "openssl": line("openssl", "version"),
        "go": line(str(WORK / "venv/bin/go"), "version"),
        "java": line("java", "-version"),
        "node": line("node", "--version"),
        "nginx": line(str(NGINX), "-v"),
    }
