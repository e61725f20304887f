"""Brings the files of a folder into the page cache or out of it, and checks that this came true."""

import os
import subprocess
import sys

from run_ranks import RunFailed

CHUNK = 16 << 20


def files_of(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def size(folder):
    """Bytes of all its files."""
    return sum(path.stat().st_size for path in files_of(folder))


def resident_share(files):
    """The part of the files' bytes that lies in the page cache, 0 to 1."""
    command = ["fincore", "--bytes", "--noheadings", "--output", "RES", *files]
    try:
        pages = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    except FileNotFoundError:
        sys.exit("bench: needs the program fincore (package util-linux or util-linux-extra) to check what is cached")
    return sum(map(int, pages)) / sum(path.stat().st_size for path in files)


def evict(folder):
    files = files_of(folder)
    for path in files:
        file = os.open(path, os.O_RDONLY)
        os.fsync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)
    share = resident_share(files)
    if share >= 0.01:
        raise RunFailed(f"{share:.1%} of {folder} stayed in the page cache; does another process map these files?")


def warm(folder):
    files = files_of(folder)
    if resident_share(files) > 0.999:
        return
    for path in files:
        with path.open("rb", buffering=0) as file:
            while file.read(CHUNK):
                pass
    share = resident_share(files)
    if share < 0.99:
        raise RunFailed(f"only {share:.1%} of {folder} stays in the page cache; free memory or take a smaller --size")
