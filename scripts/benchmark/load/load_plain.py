"""Reads the weight files of a folder and does nothing else: what this machine can do. Prints one line of JSON.

By default through the page cache into fresh anonymous memory, by several threads; with --direct from the device past the page
cache, in order, by one thread into one buffer (the raw sequential rate).
"""

import argparse
import json
import mmap
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from process_figures import PAGE, LoadFigures

RANGE = 16 << 20


def weight_files(folder):
    return sorted(folder.rglob("*.safetensors"))


def read_range(file, offset, target):
    """Fills `target` from `offset` of an open file, or as much of it as there is."""
    done = 0
    while done < len(target):
        count = os.preadv(file, [target[done:]], offset + done)
        if count == 0:
            break
        done += count
    return done


def fresh_memory(size, huge):
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if huge:
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


def read_in_parallel(folder, readers, huge):
    ranges, memories = [], []
    for path in weight_files(folder):
        file, size = os.open(path, os.O_RDONLY), path.stat().st_size
        memory = fresh_memory(size, huge)
        memories.append(memory)
        view = memoryview(memory)
        ranges += [(file, at, view[at : at + RANGE]) for at in range(0, size, RANGE)]
    with ThreadPoolExecutor(readers) as pool:
        return sum(pool.map(lambda piece: read_range(*piece), ranges))


def read_past_the_cache(folder):
    buffer = memoryview(mmap.mmap(-1, RANGE))
    total = 0
    for path in weight_files(folder):
        file, size = os.open(path, os.O_RDONLY | os.O_DIRECT), path.stat().st_size
        for offset in range(0, size, RANGE):
            # The last piece is asked for in whole pages, as O_DIRECT wants it, and comes back shorter.
            wanted = min(RANGE, -(-(size - offset) // PAGE) * PAGE)
            total += os.preadv(file, [buffer[:wanted]], offset)
        os.close(file)
    return total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--readers", type=int, default=1)
    parser.add_argument("--huge-pages", action="store_true", help="ask for them, as libtorch can be told to")
    parser.add_argument("--direct", action="store_true")
    args = parser.parse_args()
    figures = LoadFigures()
    figures.start()
    if args.direct:
        total = read_past_the_cache(args.model)
    else:
        total = read_in_parallel(args.model, args.readers, args.huge_pages)
    result = figures.end() | {"bytes": total}
    if total != sum(path.stat().st_size for path in weight_files(args.model)):
        sys.exit(f"bench: read {total} bytes of {args.model}, not the whole files")
    print(json.dumps(result), flush=True)
    sys.stdin.read()


main()
