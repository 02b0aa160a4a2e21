"""The tables on the terminal and in docs/performance.md, and the figures as JSON."""

import json
import statistics

from .machine import BENCHMARKS, ROOT
from .rows import figure_rows, results

PUBLISHED = ROOT / "docs/performance.json"
BEGIN, END = "<!-- begin: {name} -->\n", "<!-- end: {name} -->"


def number(value):
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}" if abs(value) < 100 else f"{value:,.0f}"


def lines(rows, with_limits):
    """Returns a Markdown table of results; the limits are for the project's own work, not for the page."""
    yield "| what | median | min – max |" + (" rounds | limit | within |" if with_limits else "")
    yield "|---|--:|---|" + ("--:|---|---|" if with_limits else "")
    for row in rows:
        unit = f" {row['unit']}" if row["unit"] else ""
        spread = f"{number(row['min'])} – {number(row['max'])}"
        limits = f" {row['rounds']} | {row['target']} | {{}} |".format({None: "", True: "yes", False: "no"}[row["met"]])
        yield f"| {row['title']} | {number(row['median'])}{unit} | {spread} |" + (limits if with_limits else "")


def table(rounds, with_limits=False):
    return "\n".join(lines(results(rounds), with_limits)) + "\n"


# Figures that do not name their unit, by the beginning of their name.
UNITS = {
    "p50": "µs", "p99": "µs", "undisturbed": "µs", "start": "ms", "resident": "MiB", "memory": "MiB",
    "anonymous": "MiB", "exit": "s", "seconds": "", "share": "", "load's": "", "unanswered": "", "mints": "", "CPU": "",
}


def unit(name):
    return next((unit for prefix, unit in UNITS.items() if name.startswith(prefix)), "a second")


def figures(rounds):
    """Returns the absolute figures, for orientation."""
    yield "| figure | median | min – max | unit | rounds |"
    yield "|---|--:|---|---|--:|"
    for row in figure_rows(rounds):
        result = row.result(rounds)
        spread = f"{number(result['min'])} – {number(result['max'])}"
        yield f"| {row.title} | {number(result['median'])} | {spread} | {unit(row.title)} | {result['rounds']} |"


# The columns of the comparison: the name in the table, and the names of its figures.
PEERS = {
    "`tokend`": {"cold": "cold tokend", "reused": "reused tokend", "p50": "p50 at 70 %", "p99": "p99 at 70 %",
                 "memory": "memory after", "start": "start tokend"},
    "Go": {"cold": "cold Go", "reused": "reused Go with a map", "p50": "p50 of Go at 70 %", "p99": "p99 of Go at 70 %",
           "memory": "resident Go", "start": "start Go"},
    "Go, same work": {"cold": "cold Go with the same work", "reused": "reused Go with a map and the same work",
                      "p99": "p99 of Go with the same work at 70 % of that Go"},
    "Node": {"cold": "cold Node", "p50": "p50 of Node at 70 %", "p99": "p99 of Node at 70 %", "memory": "resident Node",
             "start": "start Node"},
    "Java": {"cold": "cold Java", "p50": "p50 of Java at 70 %", "p99": "p99 of Java at 70 %", "memory": "resident Java",
             "start": "start Java"},
}
# The rows: what, the key of the figure, its factor, and the format of a value.
SIDE_BY_SIDE = [
    ("tokens a second, each signed", "cold", 1, ",.0f"),
    ("tokens a second, reused", "reused", 1, ",.0f"),
    ("latency at 70 % of its own maximum, p50", "p50", 1e-3, ".2f"),
    ("latency at 70 % of its own maximum, p99", "p99", 1e-3, ".1f"),
    ("resident memory after the load", "memory", 1, ".0f"),
    ("start to first token", "start", 1, ".0f"),
]
SIDE_UNITS = {"p50": " ms", "p99": " ms", "memory": " MiB", "start": " ms"}


def side_by_side(rounds, names=tuple(PEERS)):
    """Returns a table of medians, a column for each server; "–" is not measured."""

    def cell(peer, key, factor, form):
        values = [figures[name] for figures in rounds if (name := PEERS[peer].get(key)) in figures]
        return f"{statistics.median(values) * factor:{form}}{SIDE_UNITS.get(key, '')}" if values else "–"

    text = [f"| on one core | {' | '.join(names)} |", "|---|" + "--:|" * len(names)]
    for what, *figure in SIDE_BY_SIDE:
        text.append(f"| {what} | {' | '.join(cell(name, *figure) for name in names)} |")
    return "\n".join(text) + "\n"


def publish(machine, settings, rounds):
    """Writes the tables into the pages."""
    facts = ", ".join(f"{name} {value}" for name, value in machine.items())
    seconds = f"{settings['rounds']} rounds, {settings['seconds']} s for each figure; rows with another number of rounds say so."
    replace("side by side", side_by_side(rounds))
    replace("ratios", "\n".join(lines([row for row in results(rounds) if not row["unit"]], with_limits=False)) + "\n")
    replace("machine", f"Machine: {facts}. {seconds}\n")


def write(machine, settings, rounds, is_published):
    """Writes all measurements, for further analysis."""
    path = PUBLISHED if is_published else BENCHMARKS / "results/latest.json"
    path.parent.mkdir(exist_ok=True)
    record = {"machine": machine, "settings": settings, "rows": results(rounds), "rounds": rounds}
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    return path


def add(rounds):
    """Adds figures that do not depend on the commit to the published ones, and writes the tables again."""
    record = json.loads(PUBLISHED.read_text())
    for published, figures in zip(record["rounds"], rounds):
        published.update(figures)
    PUBLISHED.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    publish(record["machine"], record["settings"], record["rounds"])


def replace(name, text, path=ROOT / "docs/performance.md"):
    """Inserts a table between its two marks in a page."""
    page = path.read_text()
    begin, end = BEGIN.format(name=name), END.format(name=name)
    before, rest = page.split(begin)
    path.write_text(before + begin + text + end + rest.split(end)[1])
