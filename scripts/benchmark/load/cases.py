"""
The figures that jdiff must hold (F1 to F7, without CUDA's F3), each a function from a `Bench` to rows of the table.

Beside Diffusers jdiff has huge pages, which its launcher asks for wherever the memory is the machine's own, as it is here once
`fresh_memory` has fetched it. Beside a plain read, and beside itself, both have the same pages.
"""

import os

from contenders import diffusers, diffusers_both, plain_read, raw_device
from measure import Row
from run_ranks import RunFailed

GB = 1e9
MIB = 1 << 20
# "At least twice as fast", "at least 80 % of the rate", "at least 90 % of the raw rate", as ratios of times.
TWICE, NEAR_PLAIN, NEAR_RAW = 1 / 2, 1 / 0.8, 1 / 0.9


def readers():
    """As many as jdiff starts by itself."""
    return min(8, 4 * len(os.sched_getaffinity(0)))


def against_diffusers(case, what, runs, peers, limit):
    """jdiff's ready time beside that of the fastest peer. A raw read among the runs is the floor that no loader can pass."""
    ours = runs["jdiff"]
    best = min(runs[peer.name].median("seconds") for peer in peers)
    if limit and "raw device" in runs:
        raw = runs["raw device"]
        floor = ours.constant("file_bytes") / raw.constant("bytes") * raw.median("seconds")
        limit = max(limit, floor * NEAR_RAW / best)
    return Row(case, what, "s", ours.median("seconds"), best, limit)


def cold_and_warm(bench, case, folder, contenders, fresh):
    """Runs under both conditions; cold ones with the raw rate of the device, measured in the same rounds."""
    for cold in (True, False):
        raw = [raw_device("raw device", folder)] if cold else []
        yield "cold" if cold else "warm", bench.measure(case, folder, raw + contenders, cold, fresh=fresh)


def f1(bench):
    folder = bench.folders["float32"]
    ours = bench.jdiff.contender("jdiff", folder, io="read", huge=True)
    peers = diffusers_both(folder, "float32", "disable_mmap")
    for condition, runs in cold_and_warm(bench, "F1", folder, [ours, *peers], fresh=1):
        yield against_diffusers("F1", f"read, Diffusers disable_mmap, {condition}", runs, peers, TWICE)
    thorough = diffusers_both(folder, "float32", "all_read")
    runs |= bench.measure("F1", folder, thorough, fresh=1)
    yield against_diffusers("F1", "read, its text encoder read too, warm", runs, thorough, TWICE)


def f2(bench):
    for stored, wanted, share in (("float32", "bfloat16", 0.5), ("bfloat16", "float32", 2)):
        folder = bench.folders[stored]
        ours = bench.jdiff.contender("jdiff", folder, dtype=wanted, huge=True)
        peers = diffusers_both(folder, wanted, "default")
        case = f"F2 {stored} to {wanted}"
        for condition, runs in cold_and_warm(bench, case, folder, [ours, *peers], fresh=share):
            yield against_diffusers("F2", f"{stored} to {wanted}, {condition}", runs, peers, TWICE)
        # What a user has where the launcher leaves huge pages alone.
        small = bench.jdiff.contender("jdiff, small pages", folder, dtype=wanted)
        runs["jdiff"] = bench.measure(case, folder, [small], fresh=share)[small.name]
        yield against_diffusers("F2", f"{stored} to {wanted}, warm, small pages", runs, peers, None)


def f4(bench):
    folder = bench.folders["float32"]
    peers = diffusers_both(folder, "float32", "default")
    # Twice as many runs as elsewhere: they are short, and vary more.
    runs = bench.measure("F4", folder, [bench.jdiff.contender("jdiff", folder, huge=True), *peers], runs=2 * bench.runs)
    yield against_diffusers("F4", "both defaults (mapped), warm", runs, peers, 1.0)
    two = bench.jdiff.contender("jdiff", folder, ranks=2)
    two_peers = diffusers("Diffusers", folder, "float32", "default", parallel=False, ranks=2)
    for name, own in bench.measure("F4 two ranks", folder, [two, two_peers], runs=1).items():
        held = own.median_sum("anon_peak_bytes") + own.median_sum("mapped_pss_bytes")
        if held < 0.9 * own.constant("bytes"):
            raise RunFailed(f"2 ranks of {name} hold {held / GB:.2f} GB: pages were not touched, or let go of")
        limit = 1.1 if name == "jdiff" else None
        yield Row("F4", f"memory of 2 ranks of {name} / one copy", "GB", held / GB, own.constant("bytes") / GB, limit)


def f5(bench):
    for stored, wanted, io in (
        ("float32", "auto", "read"),
        ("float32", "auto", "auto"),
        ("float32", "bfloat16", "auto"),
        ("bfloat16", "float32", "auto"),
    ):
        folder = bench.folders[stored]
        ours = bench.jdiff.contender("jdiff", folder, dtype=wanted, io=io, huge=True)
        runs = bench.measure(f"F5 {stored} to {wanted}, {io}", folder, [ours], runs=1)["jdiff"]
        allowed = 1.1 * runs.constant("bytes") + 64 * MIB
        what = f"anonymous peak / allowed, {stored} to {wanted}, io {io}"
        yield Row("F5", what, "GB", runs.median("anon_peak_bytes") / GB, allowed / GB, 1.0)


def f6(bench):
    folder = bench.folders["float32"]
    shared = ["--shard-modulation"]
    grids = {"TP 1": (1, []), "TP 2": (2, shared), "TP 4": (4, shared), "TP 2, modulation whole": (2, [])}
    for pages in ("small", "huge"):
        contenders = [
            bench.jdiff.contender(
                name, folder, io="read", readers=1, ranks=ranks, tensor_parallel=options, huge=pages == "huge"
            )
            for name, (ranks, options) in grids.items()
        ]
        runs = bench.measure(f"F6, {pages} pages", folder, contenders, fresh=1)
        whole = runs["TP 1"]
        for name, limit in (("TP 2", 0.6), ("TP 4", 0.5), ("TP 2, modulation whole", None)):
            own = runs[name]
            judged = limit if pages == "small" else None
            what = f"{name} ready, slowest rank / TP 1, {pages} pages"
            yield Row("F6", what, "s", own.median("seconds"), whole.median("seconds"), judged)
    for name, own in runs.items():
        read, kept = own.worst_ratio("rchar", "bytes")
        yield Row("F6", f"{name} bytes read / kept, worst rank", "GB", read / GB, kept / GB, 1.05)
        read, planned = own.worst_ratio("rchar", "file_bytes")
        yield Row("F6", f"{name} bytes read / planned, worst rank", "GB", read / GB, planned / GB, None)


def f7(bench):
    folder = bench.folders["float32"]
    names = {"jdiff read": "read", "jdiff auto": "auto"}
    contenders = [bench.jdiff.contender(name, folder, io=io, ranks=2) for name, io in names.items()]
    for name, own in bench.measure("F7", folder, contenders, cold=True).items():
        fetched = own.median_sum("read_bytes")
        yield Row("F7", f"storage of 2 ranks of {name} / files", "GB", fetched / GB, own.constant("file_bytes") / GB, 1.1)


def plain(bench):
    folder = bench.folders["float32"]
    ours = bench.jdiff.contender("jdiff", folder, io="read", readers=readers())
    other = plain_read("plain read", folder, readers())
    for condition, runs in cold_and_warm(bench, "plain", folder, [ours, other], fresh=1):
        yield against_diffusers("plain", f"read, plain parallel read, {condition}", runs, [other], NEAR_PLAIN)
    ours = bench.jdiff.contender("jdiff", folder, io="read", readers=readers(), huge=True)
    other = plain_read("plain read", folder, readers(), huge=True)
    runs = bench.measure("plain, huge pages", folder, [ours, other], fresh=1)
    yield against_diffusers("plain", "both with huge pages, warm", runs, [other], None)


def headers(bench):
    folder = bench.folders["many-shards"]
    runs = bench.measure("headers", folder, [bench.jdiff.contender("jdiff", folder)])["jdiff"]
    yield Row("headers", "headers of 100 shards / allowed", "s", runs.median("headers_seconds"), 0.5, 1.0)


CASES = {"F1": f1, "F2": f2, "F4": f4, "F5": f5, "F6": f6, "F7": f7, "plain": plain, "headers": headers}
# The folders of make_model.py that each case loads.
FOLDERS = dict.fromkeys(CASES, ["float32"]) | {
    "F2": ["float32", "bfloat16"],
    "F5": ["float32", "bfloat16"],
    "headers": ["many-shards"],
}
