"""Measures how fast and how sparingly jdiff loads weights, beside Diffusers, and says which figures hold.

Ready time: from opening the first index until every page of every parameter has been touched once, without the start of the
process. Cold: the files' pages were evicted, and checked to be; warm: all were in the page cache. Contenders run in turn;
medians are compared. Every raw figure goes to a JSON file.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

from cases import CASES, FOLDERS
from contenders import HERE, Jdiff
from measure import Bench
from run_ranks import RunFailed

FOLDER_NAMES = {"float32": "load-f32", "bfloat16": "load-bf16", "many-shards": "load-shards"}


def case_names(text):
    names = text.split(",")
    unknown = [name for name in names if name not in CASES]
    if unknown:
        raise argparse.ArgumentTypeError(f"no case {', '.join(unknown)}; there are {', '.join(CASES)}")
    return names


def parsed():
    cpus = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(prog="scripts/bench load", description="Compares how jdiff and Diffusers load.")
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--place", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--cases", type=case_names, default=list(CASES), help=f"of {','.join(CASES)} (default: all)")
    parser.add_argument("--runs", type=int, default=5, help="measured runs of each contender (default: 5)")
    parser.add_argument("--threads", type=int, default=cpus, help=f"CPU threads of each side (default: {cpus})")
    parser.add_argument("--size", type=float, default=4.3, help="GB of a model's files, at least (default: 4.3)")
    return parser.parse_args()


def made_folders(args):
    """The model folders that the cases need, made where they are not yet there."""
    folders = {}
    for kind in dict.fromkeys(kind for case in args.cases for kind in FOLDERS[case]):
        folders[kind] = args.place / FOLDER_NAMES[kind]
        command = [sys.executable, HERE / "make_model.py", "--demo", args.root / "models" / "demo"]
        command += ["--folder", folders[kind], "--kind", kind, "--gigabytes", str(args.size)]
        subprocess.run(command, check=True)
    return folders


def run_cases(bench, names, results):
    """The rows of all cases; a case that fails is reported, and the others go on."""
    rows, failures = [], []
    for name in names:
        try:
            for row in CASES[name](bench):
                rows.append(row)
        except RunFailed as failure:
            failures.append(f"{name}: {failure}")
            print(f"bench: {name} failed: {failure}", file=sys.stderr)
        save(results, bench, rows, failures)
    return rows, failures


def save(path, bench, rows, failures):
    report = {
        "machine": {"cpus": os.cpu_count(), "kernel": platform.release(), "processor": platform.machine()},
        "settings": {"runs": bench.runs, "threads": bench.threads},
        "rows": [vars(row) | {"ratio": row.ratio, "holds": row.holds} for row in rows],
        "failures": failures,
        "runs": bench.raw,
    }
    path.write_text(json.dumps(report, indent=1) + "\n")


def print_medians(raw):
    """Every contender under every condition: its ready time, its rate and the memory it took."""
    groups = {}
    for run in raw:
        groups.setdefault((run["case"], "cold" if run["cold"] else "warm", run["name"]), []).append(run["ranks"])
    print(f"{'median of all runs':56}{'s':>8}{'min':>8}{'max':>8}{'GB/s':>8}{'anon GB':>9}")
    for (case, condition, name), runs in groups.items():
        seconds = [max(rank["seconds"] for rank in run) for run in runs]
        ready = statistics.median(seconds)
        held = statistics.median(sum(rank["bytes"] for rank in run) for run in runs)
        anonymous = statistics.median(sum(rank["anon_peak_bytes"] for rank in run) for run in runs)
        print(f"{f'{case} {condition}: {name}':56}{ready:8.2f}{min(seconds):8.2f}{max(seconds):8.2f}"
              f"{held / ready / 1e9:8.2f}{anonymous / 1e9:9.2f}")


def print_rows(rows):
    print(f"{'case':9}{'figure':56}{'jdiff':>9}{'other':>9}{'ratio':>8}{'limit':>8}")
    for row in rows:
        limit = "" if row.limit is None else f"{row.limit:8.2f}  {'holds' if row.holds else 'MISSED'}"
        print(f"{row.case:9}{f'{row.what}, {row.unit}':56}{row.value:9.2f}{row.reference:9.2f}{row.ratio:8.2f}{limit}")


def main():
    args = parsed()
    folders = made_folders(args)
    bench = Bench(Jdiff(args.root), folders, args.runs, args.threads)
    results = args.place / time.strftime("load-results-%Y%m%d-%H%M%S.json")
    rows, failures = run_cases(bench, args.cases, results)
    print(f"{args.threads} threads, {args.runs} runs, models of {args.size} GB or more")
    print_medians(bench.raw)
    print()
    print_rows(rows)
    for failure in failures:
        print(f"FAILED   {failure}")
    print(f"all figures: {results}")
    if failures or not all(row.holds for row in rows):
        sys.exit(1)


main()
