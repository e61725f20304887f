"""Runs the processes of one contender at once and gathers what each printed."""

import json
import socket
import subprocess
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LIMIT_SECONDS = 900


class RunFailed(Exception):
    """A run could not be made, or did not say what it measured."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def mapped_bytes(pid, folder):
    """This process's share (PSS) of the pages of files in `folder` that it maps; the shares of all processes add up."""
    total, inside = 0, False
    for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
        word, *rest = line.split(maxsplit=5)
        if not word.endswith(":"):
            inside = len(rest) == 5 and Path(rest[4]).is_relative_to(folder)
        elif inside and word == "Pss:":
            total += int(rest[0]) * 1024
    return total


class Group:
    """
    The ranks of one run. When all have started `prepare` is called, then all begin. All have loaded, and hold what they
    loaded, when the memory of each is looked at.
    """

    def __init__(self, contender, folder, threads, prepare):
        self.contender = contender
        self.folder = folder.resolve()
        self.threads = max(1, threads // contender.ranks)
        self.port = free_port()
        self.all_ready = threading.Barrier(contender.ranks, action=prepare)
        self.all_loaded = threading.Barrier(contender.ranks)
        self.all_seen = threading.Barrier(contender.ranks)

    def run(self):
        """What each rank printed, and its share of mapped files."""
        with ThreadPoolExecutor(self.contender.ranks) as pool:
            ranks = [pool.submit(self._run_rank, rank) for rank in range(self.contender.ranks)]
        failures = [rank.exception() for rank in ranks if rank.exception()]
        # A rank that fails breaks the barriers of the others: theirs is not the cause.
        failures.sort(key=lambda failure: isinstance(failure, threading.BrokenBarrierError))
        if failures:
            raise failures[0]
        return [rank.result() for rank in ranks]

    def _run_rank(self, rank):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        environment = self.contender.environment_of(rank, self.threads, self.port)
        with (
            tempfile.TemporaryFile() as errors,
            subprocess.Popen(self.contender.command, env=environment, stderr=errors, **pipes) as process,
        ):
            limit = threading.Timer(LIMIT_SECONDS, process.kill)
            limit.start()
            try:
                figures = self._figures(process)
                process.stdin.close()
                if process.wait() or figures is None:
                    raise RunFailed(f"{self.contender.name}, rank {rank}: {ending(process, errors)}")
                return figures
            except BaseException:
                process.kill()
                self.all_ready.abort()
                self.all_loaded.abort()
                self.all_seen.abort()
                raise
            finally:
                limit.cancel()

    def _figures(self, process):
        for line in process.stdout:
            if line == b"ready\n":
                self.all_ready.wait()
                process.stdin.write(b"go\n")
                process.stdin.flush()
            elif line.startswith(b"{"):
                figures = json.loads(line)
                self.all_loaded.wait()
                figures["mapped_pss_bytes"] = mapped_bytes(process.pid, self.folder)
                if process.poll() is not None:
                    raise RunFailed(f"{self.contender.name} did not hold its weights until its standard input ended")
                self.all_seen.wait()
                return figures
        return None


def ending(process, errors):
    errors.seek(0)
    return f"exit code {process.returncode}\n{errors.read().decode(errors='replace')[-2000:]}"
