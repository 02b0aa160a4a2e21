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
            except (KeyError, ValueError, ZeroDivisionError):
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


PEERS = ("Go", "Node", "Swift", "Java")


def ratio(above, below):
    return lambda figures: figures[above] / figures[below]


def against(best, figure):
    """Returns tokend's figure as a ratio to that of the best peer; `best` is `max` or `min`."""
    return lambda figures: figures[figure.format("tokend")] / best(
        figures[name] for peer in PEERS if (name := figure.format(peer)) in figures)


def at_least(bound):
    return f"≥ {bound}", lambda value: value >= bound


def at_most(bound, unit=""):
    return f"≤ {bound}{unit}", lambda value: value <= bound


def _corrected(name, share):
    """Returns the ratio of two cores to one, corrected for the load generator's share of the two cores."""
    return lambda figures: figures[f"{name} on two cores"] * 2 / (2 - figures[share]) / figures[f"{name} on one core"]


ROWS = [
    Row("signed over HTTP, of openssl speed", ratio("cold tokend", "openssl"), *at_least(0.85)),
    Row("signed over HTTP, against Node", ratio("cold tokend", "cold Node"), *at_least(1.05)),
    Row("signed over HTTP, against Go", ratio("cold tokend", "cold Go"), *at_least(3.5)),
    Row("signed over a new TLS connection each, against the best peer", against(max, "full handshakes {}"), *at_least(1.8)),
    Row("the same, resumed", against(max, "resumed handshakes {}")),
    Row("reused over HTTP, against the best peer", against(max, "reused {}"), *at_least(1.5)),
    Row("reused over HTTP, of nginx's constant", ratio("reused tokend", "reused nginx")),
    Row("p50 at 60 % of the slowest's maximum, of the best peer's", against(min, "p50 of {} at 60 % of slowest"), *at_most(0.5)),
    Row("p99 at 60 % of the slowest's maximum, of the best peer's", against(min, "p99 of {} at 60 % of slowest"), *at_most(1)),
    Row("the same, undisturbed", against(min, "undisturbed p99 of {} at 60 % of slowest"), *at_most(1)),
    Row("p50 at 60 % of tokend's maximum, of the best peer's", against(min, "p50 of {} at 60 % of tokend"), *at_most(0.5)),
    Row("p99 at 60 % of tokend's maximum, of the best peer's", against(min, "p99 of {} at 60 % of tokend"), *at_most(1)),
    Row("1,000 new TLS connections at once: last response", lambda f: f["TLS burst tokend, ms"], *at_most(600, " ms"), unit="ms"),
    Row("1,000 new TLS connections at once: refused", lambda f: f["TLS burst tokend, refused"], *at_most(0), unit=" "),
    Row("CPU time for a token at 100 a second, of the best peer's", against(min, "CPU µs of {} at 100 a second"), *at_most(1)),
    Row("two cores against one, the load among them", ratio("cold tokend on two cores", "cold tokend on one core")),
    Row("two cores against one, without the load's share", _corrected("cold tokend", "load's share of two cores"),
        *at_least(1.8)),
    Row("CPU time with 10,000 grants, of that with one", ratio("CPU µs with 10,000 grants", "CPU µs with 1 grants"),
        *at_most(1.1)),
    Row("resident after a million tokens", lambda f: f["memory after"], *at_most(40, " MiB"), unit="MiB"),
    Row("start to first token", lambda f: f["start tokend"], *at_most(18, " ms"), unit="ms"),
]


def figure_rows(rounds):
    """Returns all absolute figures."""
    names = dict.fromkeys(name for figures in rounds for name in figures)
    return [Row(name, lambda figures, name=name: figures[name]) for name in names]


def results(rounds):
    return [result for row in ROWS if (result := row.result(rounds))]
