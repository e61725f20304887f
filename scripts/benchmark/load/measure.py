"""Runs contenders in turn, keeps what each run said, and condenses it into rows of a table."""

import statistics
import sys
from dataclasses import dataclass

import fresh_memory
import page_cache
from run_ranks import Group


@dataclass(frozen=True)
class Row:
    """A figure beside what it is compared with; it holds if their ratio is at most `limit` (None: for information)."""

    case: str
    what: str
    unit: str
    value: float
    reference: float
    limit: float | None

    @property
    def ratio(self):
        return self.value / self.reference

    @property
    def holds(self):
        return self.limit is None or self.ratio <= self.limit


class Runs:
    """All runs of one contender under one condition; a run is a list of one dictionary per rank."""

    def __init__(self, runs):
        self.runs = runs

    def median(self, name):
        """Over the runs, of the greatest among the ranks."""
        return statistics.median(max(rank[name] for rank in run) for run in self.runs)

    def median_sum(self, name):
        """Over the runs, of the sum of the ranks."""
        return statistics.median(sum(rank[name] for rank in run) for run in self.runs)

    def worst_ratio(self, name, reference):
        """Over all runs and ranks, the two figures whose ratio is greatest."""
        pairs = [(rank[name], rank[reference]) for run in self.runs for rank in run]
        return max(pairs, key=lambda pair: pair[0] / pair[1])

    def constant(self, name):
        """A figure that is the same in every run."""
        return self.runs[0][0][name]


class Bench:
    def __init__(self, jdiff, folders, runs, threads):
        self.jdiff = jdiff
        self.folders = folders
        self.runs = runs
        self.threads = threads
        self.raw = []

    def measure(self, case, folder, contenders, cold=False, runs=None, fresh=0):
        """
        Name of each contender -> its `Runs`. Warm, a first round is thrown away.

        `fresh`: how many times the bytes of the folder a run takes of memory; 0 if next to nothing, or if no time counts.
        """
        for other in self.folders.values():
            if other != folder:
                page_cache.evict(other)
        condition = "cold" if cold else "warm"
        rounds = range(1 if cold else 0, (runs or self.runs) + 1)
        results = {contender.name: [] for contender in contenders}
        for number in rounds:
            for contender in contenders:
                ranks = self._run(contender, folder, cold, fresh)
                seconds = max(rank["seconds"] for rank in ranks)
                print(f"bench: {case} {condition} round {number}: {contender.name}: {seconds:.2f} s", file=sys.stderr)
                if number:
                    results[contender.name].append(ranks)
                    self.raw.append(
                        {"case": case, "cold": cold, "round": number, "folder": folder.name, "name": contender.name}
                        | {"ranks": ranks}
                    )
        return {name: Runs(runs) for name, runs in results.items()}

    def _run(self, contender, folder, cold, fresh):
        """One run of all ranks, after making what is the same for all: the page cache, and memory that this machine has at hand."""
        if not cold:
            page_cache.warm(folder)  # while there is room
        with fresh_memory.Held(int(fresh * page_cache.size(folder))) as memory:

            def ready():
                (page_cache.evict if cold else page_cache.warm)(folder)
                memory.free()

            return Group(contender, folder, self.threads, ready).run()
