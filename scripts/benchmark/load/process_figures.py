"""What Linux tells a process about itself: bytes read, memory."""

import sys
import threading
import time
from pathlib import Path

PAGE = 4096


def io_counters():
    """Bytes asked for by read calls (rchar) and bytes fetched from storage (read_bytes), since the process began."""
    lines = Path("/proc/self/io").read_text().splitlines()
    counters = {name: int(value) for name, value in (line.split(": ") for line in lines)}
    return counters["rchar"], counters["read_bytes"]


def anonymous_bytes():
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) * 1024
    raise SystemExit("bench: this kernel tells no RssAnon in /proc/self/status")


class LoadFigures:
    """Time, bytes read and peak of anonymous memory between `start` and `end`, as a dictionary of the benchmark's names."""

    def __init__(self):
        self.sampler = threading.Thread(target=self._sample, daemon=True)
        self.stopped = threading.Event()

    def start(self):
        """Says that this process is ready, waits until it is told to go on (or its standard input ends), and starts the clock."""
        print("ready", flush=True)
        sys.stdin.readline()
        self.level = self.peak = anonymous_bytes()
        self.counters = io_counters()
        self.begin = time.perf_counter()
        self.sampler.start()

    def _sample(self):
        while not self.stopped.wait(0.05):
            self.peak = max(self.peak, anonymous_bytes())

    def end(self):
        seconds = time.perf_counter() - self.begin
        self.stopped.set()
        self.sampler.join()
        peak = max(self.peak, anonymous_bytes())
        rchar, read_bytes = (now - before for now, before in zip(io_counters(), self.counters))
        return {"seconds": seconds, "rchar": rchar, "read_bytes": read_bytes, "anon_peak_bytes": peak - self.level}
