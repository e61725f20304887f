"""Reads the weight files of a folder and does nothing else: what this machine can do. Prints one line of JSON.

By default through the page cache into fresh anonymous memory, by several threads, with --share into more or less of it than
there are bytes, as if they were cast; with --direct from the device past the page
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
BUFFER = 1 << 20
ZEROS = os.open("/dev/zero", os.O_RDONLY)


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


def fill(file, offset, length, target):
    """
    Reads `length` bytes of a file and leaves all of `target` written: with them, as far as it reaches. What it does not take goes
    through a buffer that is used again and again, what they do not fill is written with zeros.
    """
    kept = min(length, len(target))
    done = read_range(file, offset, target[:kept])
    if kept < len(target):
        read_range(ZEROS, 0, target[kept:])
    buffer = memoryview(bytearray(min(BUFFER, length - kept)))
    while done < length:
        count = os.preadv(file, [buffer[: length - done]], offset + done)
        if count == 0:
            break
        done += count
    return done


def read_in_parallel(folder, readers, huge, share):
    """Reads all files, and ends with `share` times as much fresh memory."""
    ranges, memories = [], []
    for path in weight_files(folder):
        file, size = os.open(path, os.O_RDONLY), path.stat().st_size
        memory = fresh_memory(max(1, int(size * share)), huge)
        memories.append(memory)
        view = memoryview(memory)
        for at in range(0, size, RANGE):
            length = min(RANGE, size - at)
            ranges.append((file, at, length, view[int(at * share) : int((at + length) * share)]))
    with ThreadPoolExecutor(readers) as pool:
        return sum(pool.map(lambda piece: fill(*piece), ranges))


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
    parser.add_argument("--share", type=float, default=1, help="memory to end with, as a share of the files (default: 1)")
    parser.add_argument("--direct", action="store_true")
    args = parser.parse_args()
    figures = LoadFigures()
    figures.start()
    if args.direct:
        total = read_past_the_cache(args.model)
    else:
        total = read_in_parallel(args.model, args.readers, args.huge_pages, args.share)
    result = figures.end() | {"bytes": total}
    if total != sum(path.stat().st_size for path in weight_files(args.model)):
        sys.exit(f"bench: read {total} bytes of {args.model}, not the whole files")
    print(json.dumps(result), flush=True)
    sys.stdin.read()


main()
