"""The tables on the terminal and in docs/performance.md, and the figures as JSON."""

import json
import re
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
    "anonymous": "MiB", "seconds": "", "share": "", "load's": "", "mints": "", "CPU": "", "TLS": "",
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


# The rows of the comparison: what, the figure of each server, its factor, and the format of a value.
SIDE_BY_SIDE = [
    ("tokens a second, each signed and on a new TLS connection", "full handshakes {}", 1, "{:,.0f}"),
    ("the same, resumed where the server can", "resumed handshakes {}", 1, "{:,.0f}"),
    ("tokens a second, each signed, on kept connections", "cold {}", 1, "{:,.0f}"),
    ("tokens a second, reused", "reused {}", 1, "{:,.0f}"),
    ("p50 at 60 % of the slowest's maximum", "p50 of {} at 60 % of slowest", 1e-3, "{:.2f} ms"),
    ("p99 at 60 % of the slowest's maximum", "p99 of {} at 60 % of slowest", 1e-3, "{:.1f} ms"),
    ("p50 at 60 % of `tokend`'s maximum", "p50 of {} at 60 % of tokend", 1e-3, "{:.2f} ms"),
    ("p99 at 60 % of `tokend`'s maximum", "p99 of {} at 60 % of tokend", 1e-3, "{:.1f} ms"),
    ("1,000 new TLS connections at once: last response", "TLS burst {}, ms", 1, "{:,.0f} ms"),
    ("1,000 new TLS connections at once: refused", "TLS burst {}, refused", 1, "{:,.0f}"),
    ("CPU time for a token at 100 a second", "CPU µs of {} at 100 a second", 1, "{:,.0f} µs"),
    ("resident memory after the load", "resident {}", 1, "{:.0f} MiB"),
    ("start to first token", "start {}", 1, "{:.0f} ms"),
]
COLUMNS = {"tokend": "`tokend`", "Go": "Go", "Node": "Node", "Swift": "Hummingbird", "Java": "Java"}


def side_by_side(rounds, rows, title):
    """Returns a table of medians, a column for each server; "–" is past its maximum."""

    def cell(figure, factor, form):
        values = [figures[figure] for figures in rounds if figure in figures]
        return form.format(statistics.median(values) * factor) if values else "–"

    text = [f"| {title} | {' | '.join(COLUMNS.values())} |", "|---|" + "--:|" * len(COLUMNS)]
    for what, figure, factor, form in rows:
        text.append(f"| {what} | {' | '.join(cell(figure.format(name), factor, form) for name in COLUMNS)} |")
    return "\n".join(text) + "\n"


# Of the README: without spaces, to be short.
IN_SHORT = [
    ("signed, each on a new TLS connection", "full handshakes {}", 1, "{:,.0f}"),
    ("signed, on kept connections", "cold {}", 1, "{:,.0f}"),
    ("reused", "reused {}", 1, "{:,.0f}"),
    ("1,000 new TLS connections at once, ms", "TLS burst {}, ms", 1, "{:,.0f}"),
    ("p99 at one load, ms", "p99 of {} at 60 % of slowest", 1e-3, "{:.1f}"),
]


def publish(machine, settings, rounds):
    """Writes the tables into the pages."""
    readme = side_by_side(rounds, IN_SHORT, "tokens a second on one core").replace(" | ", "|").replace("| ", "|").replace(" |", "|")
    # "go version go1.27.3 linux/amd64"
    versions = [f"{name} {found[0]}" for name in ("swift", "openssl", "go", "java", "node", "nginx")
                if (found := re.search(r"\d+(\.\d+)+", machine[name]))]
    place = f"{machine['cpu']}, {machine['time'][:10]}, commit {machine['commit']}"
    facts = f"{place}, {machine['cores']} cores, kernel {machine['kernel']}, {', '.join(versions)}"
    replace("side by side", side_by_side(rounds, SIDE_BY_SIDE, "on one core"))
    replace("ratios", "\n".join(lines([row for row in results(rounds) if not row["unit"]], with_limits=False)) + "\n")
    replace("machine", f"{facts}. {settings['rounds']} rounds, {settings['seconds']} s for each figure.\n")
    replace("figures", f"{readme}\n{place}; same work for all ([method](docs/performance.md)).\n", ROOT / "README.md")


def write(machine, settings, rounds, is_published):
    """Writes all measurements, for further analysis."""
    path = PUBLISHED if is_published else BENCHMARKS / "results/latest.json"
    path.parent.mkdir(exist_ok=True)
    record = {"machine": machine, "settings": settings, "rows": results(rounds), "rounds": rounds}
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    return path


def replace(name, text, path=ROOT / "docs/performance.md"):
    """Inserts a table between its two marks in a page."""
    page = path.read_text()
    begin, end = BEGIN.format(name=name), END.format(name=name)
    before, rest = page.split(begin)
    path.write_text(before + begin + text + end + rest.split(end)[1])
