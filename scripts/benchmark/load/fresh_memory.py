"""
Has memory at hand for what runs next: takes so much of it that the kernel fetches it from the host of a virtual machine, and
gives it back to the kernel a moment before the clock starts.

A host that takes free pages back makes their next use many times slower, whoever uses them: a run would be timed by how
long its memory lay idle before. Where nobody takes pages back this changes nothing.
"""

import mmap
import subprocess
import sys
from contextlib import contextmanager

from run_ranks import RunFailed

# More than a run takes, for a host goes on taking pages back meanwhile.
MARGIN = 2500 << 20
POPULATE_WRITE = 23  # of madvise, Linux 5.14


@contextmanager
def held(size):
    """Memory of `size` bytes, in a process of its own so that all of it is free again when the block ends."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, __file__, str(size)], **pipes) as holder:
        if holder.stdout.readline() != b"held\n":
            raise RunFailed(f"{size} bytes of memory could not be had before a run; take a smaller --size")
        yield
        holder.kill()


def main():
    memory = mmap.mmap(-1, int(sys.argv[1]), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_HUGEPAGE)
    memory.madvise(POPULATE_WRITE)
    print("held", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
