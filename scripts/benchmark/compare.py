"""Runs jdiff and the peer in turn on the same prompts and sets their figures side by side.

What is measured, of each run:
  first step   from the start of the command to the moment when every worker has begun its first denoising step
  step ended   the same until every worker has ended that step
  per step     median time between the ends of two steps, over all workers; one thread count for both
  per picture  from the first step of a worker to its end, over its pictures
  worker peak  greatest VmHWM of a worker
  spawn        from the start of the launcher to the start of its first worker (clock ticks of /proc: 10 ms)
  launcher     VmHWM of the launcher
The first run of each is thrown away (it fills the file cache and may build); the rest are shown as medians.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROMPTS = ["a red circle", "a blue square", "two green triangles", "a yellow star on a black background"]
TICK = os.sysconf("SC_CLK_TCK")


class Watch:
    """Samples the processes below one process until it ends: highest memory, start, command."""

    def __init__(self, root):
        self.root = root
        self.seen = {}

    def sample(self):
        parents = {}
        for entry in os.scandir("/proc"):
            if entry.name.isdigit():
                try:
                    fields = Path(entry.path, "stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                parents[int(entry.name)] = (int(fields[1]), int(fields[19]))
        for pid, (_, start) in parents.items():
            up = pid
            while up in parents and up != self.root:
                up = parents[up][0]
            if up != self.root:
                continue
            try:
                status = Path(f"/proc/{pid}/status").read_text()
                command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            peak = next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)
            before = self.seen.get(pid, (0, start, command))
            # An ended process that nobody has waited for has neither memory nor command.
            self.seen[pid] = (max(peak, before[0]), start, command if command[0] else before[2])

    def workers(self, program):
        return {
            pid: (peak, start)
            for pid, (peak, start, command) in self.seen.items()
            if pid != self.root and os.path.basename(command[0].decode(errors="replace")).startswith(program)
        }


def run(command, program, environment, trace):
    trace.unlink(missing_ok=True)
    begin = time.time_ns()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors
        )
        watch = Watch(process.pid)
        while process.poll() is None:
            watch.sample()
            time.sleep(0.05)
        total = (time.time_ns() - begin) / 1e9
        if process.returncode:
            errors.seek(0)
            sys.stderr.write(errors.read().decode(errors="replace")[-3000:])
            sys.exit(f"bench: exit code {process.returncode} of: {' '.join(map(str, command))}")
    events = {}
    for line in trace.read_text().splitlines() if trace.exists() else ():
        event, nanos, *rank = line.split()
        events.setdefault(rank[0] if rank else "0", []).append((event, (int(nanos) - begin) / 1e9))
    if not events:
        sys.exit(f"bench: no worker wrote to {trace}")
    steps, firsts, first_ends, pictures = [], [], [], []
    for own in events.values():
        ends = [at for event, at in own if event == "step"]
        steps += [b - a for a, b in zip(ends, ends[1:])]
        first = [at for event, at in own if event == "first_step"]
        done = [at for event, at in own if event == "done"]
        firsts += first[:1]
        first_ends += ends[:1]
        if first and done:
            pictures.append((done[-1] - first[0]) / (len(ends) / STEPS))
    workers = watch.workers(program)
    started = watch.seen[watch.root][1] if watch.root in watch.seen else None
    return {
        "first step, s": max(firsts),
        "step ended, s": max(first_ends),
        "per step, ms": statistics.median(steps) * 1e3,
        "per picture, s": statistics.mean(pictures),
        "whole job, s": total,
        "worker peak, MB": max(peak for peak, _ in workers.values()) / 1024,
        "spawn, s": (min(start for _, start in workers.values()) - started) / TICK,
        "launcher, MB": watch.seen[watch.root][0] / 1024,
    }


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Compares jdiff with Diffusers under torchrun.")
    parser.add_argument("--root", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--model", type=Path, help="model folder (default: the demo model)")
    parser.add_argument("--dtype", default="float32", choices=["float32", "bfloat16"])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--size", type=int, default=128)
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    global STEPS
    STEPS = args.steps

    model = args.model or args.root / "models" / "demo"
    threads = max(1, len(os.sched_getaffinity(0)) // args.workers)
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), MKL_NUM_THREADS=str(threads))
    work = Path(tempfile.mkdtemp(prefix="jdiff-bench-"))
    try:
        prompts = work / "prompts.txt"
        prompts.write_text("\n".join(PROMPTS * args.workers) + "\n")
        common = ["--model", model, "--prompts-file", prompts, "--dtype", args.dtype]
        common += ["--num-inference-steps", str(args.steps)]
        trace = work / "trace"
        jdiff = [args.root / "scripts/jdiff", "launch", "--nproc-per-node", str(args.workers), "generate"]
        jdiff += [*common, "--height", str(args.size), "--width", str(args.size)]
        jdiff += ["--seed", "0", "--negative-prompt", " ", "--true-cfg-scale", "4"]
        peer = [Path(sys.executable).with_name("torchrun"), "--nproc-per-node", str(args.workers)]
        peer += [args.root / "scripts/benchmark/peer.py", *common, "--size", str(args.size), "--threads", str(threads)]

        results = {"jdiff": [], "peer": []}
        for number in range(args.runs + 1):
            for name, command, program in (("jdiff", jdiff, "java"), ("peer", peer, "python")):
                out = ["--output-dir", work / f"{name}-{number}"]
                env = dict(environment, JDIFF_TRACE=str(trace), BENCH_TRACE=str(trace))
                figures = run([*command, *out], program, env, trace)
                if number:
                    results[name].append(figures)
                print(f"bench: {name} run {number} of {args.runs} done", file=sys.stderr)
    finally:
        shutil.rmtree(work, ignore_errors=True)

    blas = {name: value for name, value in os.environ.items() if name.startswith(("OPENBLAS_", "MKL_"))}
    print(f"{args.workers} workers x {threads} threads, {args.dtype}, {args.size} x {args.size}, {args.steps} steps, "
          f"{len(PROMPTS)} prompts per worker, median of {args.runs} runs")
    if blas:
        print("set in the environment:", " ".join(f"{name}={value}" for name, value in sorted(blas.items())))
    print(f"{'':18}{'jdiff':>10}{'peer':>10}{'ratio':>10}")
    for key in results["jdiff"][0]:
        ours, theirs = (statistics.median(run[key] for run in results[name]) for name in ("jdiff", "peer"))
        print(f"{key:18}{ours:10.2f}{theirs:10.2f}{ours / theirs if theirs else float('nan'):10.2f}")


main()
