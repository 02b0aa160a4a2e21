#!/usr/bin/env python3
"""Runs commands as stages, and prints a line for each: its duration, and the time since the start (of make).

    stages.py 'NAME: COMMAND' ...                      one after the other; the first that fails is the last
    stages.py --jobs N 'NAME: COMMAND' ...             N at a time, all of them; the output of those that fail
    stages.py --beside 'NAME: COMMAND' 'NAME: COMMAND' beside the others, with what they leave of the processors

The line has the remaining time, too, where each stage has passed before in this checkout (.build/stages.json).
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

TIMES = pathlib.Path(__file__).resolve().parents[1] / ".build" / "stages.json"
# Of make, which may have built something before.
START = float(os.environ.get("STAGES_START") or time.time())
running = set()


def stage(text):
    name, separator, command = text.partition(": ")
    if not separator:
        raise argparse.ArgumentTypeError(f"'{text}' is not 'NAME: COMMAND'")
    return name, command


def start(command, **options):
    """A command in a process group of its own, so that all of it can be ended."""
    process = subprocess.Popen(["bash", "-c", command], start_new_session=True, **options)
    running.add(process)
    return process


def finish(process):
    output, _ = process.communicate()
    running.discard(process)
    return process.returncode, output or ""


def end_all(*_):
    for process in list(running):
        try:
            os.killpg(process.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass


class Report:
    """The lines about the stages, and how long each took the last time."""

    def __init__(self, names, jobs):
        self.names, self.jobs = names, jobs
        try:
            self.times = json.loads(TIMES.read_text())
        except (OSError, ValueError):
            self.times = {}

    def remaining(self):
        if not self.names or not all(name in self.times for name in self.names):
            return ""
        left = [self.times[name] for name in self.names]
        return f", about {max([*left, sum(left) / self.jobs]):.0f} s left"

    def stage(self, name, status, seconds):
        self.names.remove(name)
        if status == 0:
            self.times[name] = round(seconds, 1)
        total = time.time() - START
        outcome = "" if status == 0 else f"  FAILED ({status})"
        print(f"{seconds:6.1f} s  {name}{outcome}   [{total:.0f} s{self.remaining()}]", flush=True)

    def save(self):
        try:
            TIMES.parent.mkdir(exist_ok=True)
            TIMES.write_text(json.dumps(self.times, indent=1, sort_keys=True))
        except OSError:
            pass


def idle(command):
    """A command that runs while nobody else wants the processors: by scheduling class, where that can be had."""
    return f"exec {'chrt --idle 0' if shutil.which('chrt') else 'nice -n 19'} bash -c {shlex.quote(command)}"


def one_after_another(stages, beside, report):
    captured = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with concurrent.futures.ThreadPoolExecutor() as pool:
        others = [(name, time.monotonic(), pool.submit(finish, start(idle(command), **captured))) for name, command in beside]
        for name, command in stages:
            began = time.monotonic()
            status, _ = finish(start(command))
            report.stage(name, status, time.monotonic() - began)
            if status:
                end_all()
                return status
        result = 0
        for name, began, other in others:
            status, output = other.result()
            print(output, end="")
            report.stage(name, status, time.monotonic() - began)
            result = result or status
    return result


def together(stages, jobs, report):
    def run(name, command):
        began = time.monotonic()
        process = start(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return name, *finish(process), time.monotonic() - began

    result = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(run, *each) for each in stages]):
            name, status, output, seconds = future.result()
            if status:
                print(output, end="")
            report.stage(name, status, seconds)
            result = result or status
    return result


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--beside", type=stage, action="append", default=[])
    parser.add_argument("stages", type=stage, nargs="+")
    arguments = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, _: (end_all(), os._exit(128 + number)))
    report = Report([name for name, _ in [*arguments.stages, *arguments.beside]], arguments.jobs or 1)
    if arguments.jobs:
        result = together(arguments.stages, arguments.jobs, report)
    else:
        result = one_after_another(arguments.stages, arguments.beside, report)
    report.save()
    sys.exit(1 if result else 0)
