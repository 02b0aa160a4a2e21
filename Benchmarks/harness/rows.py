"""The table: each row a ratio of figures of one round, with the limit that the project works towards."""

import dataclasses
import statistics
from collections.abc import Callable


@dataclasses.dataclass
class Row:
    """A figure of each round, or a ratio of two."""

    title: str
    figure: Callable[[dict], float]
    target: str = ""
    is_met: Callable[[float], bool] | None = None
    unit: str = ""

    def values(self, rounds):
        """Returns the figure for each round that has the required measurements."""
        values = []
        for figures in rounds:
            try:
                values.append(self.figure(figures))
            except (KeyError, ZeroDivisionError):
                pass
        return values

    def result(self, rounds):
        values = self.values(rounds)
        if not values:
            return None
        median = statistics.median(values)
        return {
            "title": self.title,
            "unit": self.unit,
            "target": self.target,
            "median": median,
            "min": min(values),
            "max": max(values),
            "rounds": len(values),
            "met": self.is_met(median) if self.is_met else None,
        }


def ratio(above, below):
    return lambda figures: figures[above] / figures[below]


def at_least(bound):
    return f"≥ {bound}", lambda value: value >= bound


def at_most(bound, unit=""):
    return f"≤ {bound}{unit}", lambda value: value <= bound


def _corrected(name, share):
    """Returns the ratio of two cores to one, corrected for the load generator's share of the two cores."""
    return lambda figures: figures[f"{name} on two cores"] * 2 / (2 - figures[share]) / figures[f"{name} on one core"]


ROWS = [
    Row("minter in process, of openssl speed", ratio("mint", "openssl"), *at_least(0.95)),
    Row("whole issuance in process, of openssl speed", ratio("issue", "openssl")),
    Row("cold over HTTP, of openssl speed", ratio("cold tokend", "openssl"), *at_least(0.85)),
    Row("cold over HTTP, against Node", ratio("cold tokend", "cold Node"), *at_least(1)),
    Row("cold over HTTP, against Go", ratio("cold tokend", "cold Go"), *at_least(3.3)),
    Row("cold over HTTP, against Go with the same work", ratio("cold tokend", "cold Go with the same work"),
        *at_least(3.8)),
    Row("cold over HTTP, against Java", ratio("cold tokend", "cold Java"), *at_least(3)),
    Row("reused over HTTP, against Go with a map and the same work",
        ratio("reused tokend", "reused Go with a map and the same work"), *at_least(1.6)),
    Row("reused over HTTP, against Go with a map", ratio("reused tokend", "reused Go with a map"), *at_least(0.75)),
    Row("reused over HTTP, of nginx's constant", ratio("reused tokend", "reused nginx"), *at_least(0.4)),
    Row("Go with a map, of nginx's constant", ratio("reused Go with a map", "reused nginx")),
    Row("two cores against one, the load among them", ratio("cold tokend on two cores", "cold tokend on one core")),
    Row("two cores against one, without the load's share", _corrected("cold tokend", "load's share of two cores"),
        *at_least(1.9)),
    Row("p99 at 70 % of the maximum of Go with the same work, of that Go's p99",
        ratio("p99 of tokend at 70 % of that Go", "p99 of Go with the same work at 70 % of that Go"), *at_most(0.15)),
    Row("the same, undisturbed",
        ratio("undisturbed p99 of tokend at 70 % of that Go", "undisturbed p99 of Go with the same work at 70 % of that Go"),
        *at_most(0.15)),
    Row("p99 over p50 at 70 %", ratio("p99 at 70 %", "p50 at 70 %"), *at_most(5)),
    Row("p99 over p50 at 70 %, undisturbed", ratio("undisturbed p99 at 70 %", "undisturbed p50 at 70 %"), *at_most(5)),
    Row("share left unanswered five seconds later", lambda f: f["unanswered"], *at_most(0)),
    Row("CPU time with 10,000 grants, of that with one", ratio("CPU µs with 10,000 grants", "CPU µs with 1 grants"),
        *at_most(1.1)),
    Row("resident after the mints", lambda f: f["memory after"], *at_most(48, " MiB"), unit="MiB"),
    Row("start to first token", lambda f: f["start tokend"], *at_most(30, " ms"), unit="ms"),
    Row("exit when idle", lambda f: f["exit tokend"], *at_most(0.1, " s"), unit="s"),
]


def figure_rows(rounds):
    """Returns all absolute figures."""
    names = dict.fromkeys(name for figures in rounds for name in figures)
    return [Row(name, lambda figures, name=name: figures[name]) for name in names]


def results(rounds):
    return [result for row in ROWS if (result := row.result(rounds))]
