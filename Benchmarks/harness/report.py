"""The table on the terminal and in docs/performance.md, and the figures as JSON."""

import json

from .machine import BENCHMARKS, ROOT
from .rows import figure_rows, results

BEGIN, END = "<!-- begin: {name} -->\n", "<!-- end: {name} -->"


def number(value):
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}" if abs(value) < 100 else f"{value:,.0f}"


def lines(rows):
    """Returns a Markdown table of results."""
    yield "| what | target | median | min – max | met |"
    yield "|---|---|---|---|---|"
    for row in rows:
        met = {None: "", True: "yes", False: "**no**"}[row["met"]]
        unit = f" {row['unit']}" if row["unit"] else ""
        spread = f"{number(row['min'])} – {number(row['max'])}"
        yield f"| {row['title']} | {row['target']} | {number(row['median'])}{unit} | {spread} | {met} |"


def table(rounds):
    return "\n".join(lines(results(rounds))) + "\n"


def figures(rounds):
    """Returns the absolute figures, for orientation."""
    yield "| figure | median | min – max |"
    yield "|---|---|---|"
    for row in figure_rows(rounds):
        result = row.result(rounds)
        yield f"| {row.title} | {number(result['median'])} | {number(result['min'])} – {number(result['max'])} |"


def write(machine, settings, rounds, is_published):
    """Writes all measurements, for further analysis."""
    path = ROOT / "docs/performance.json" if is_published else BENCHMARKS / "results/latest.json"
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
