"""
Has memory at hand for what runs next: takes so much of it that the kernel fetches it from the host of a virtual machine, and
gives it back to the kernel a moment before the clock starts.

A host that takes free pages back makes their next use many times slower, whoever uses them: a run would be timed by how
long its memory lay idle before. Where nobody takes pages back this changes nothing.
"""

import mmap
import subprocess
import sys

from run_ranks import RunFailed

# More than a run takes, for a host goes on taking pages back meanwhile.
MARGIN = 2500 << 20
POPULATE_WRITE = 23  # of madvise, Linux 5.14


class Held:
    """
    Memory of `size` bytes and a margin, in a process of its own so that all of it is free again at once; none if `size` is 0.

    To be taken before a run's processes start: a host that finds room for it may move what they have, and their next
    instructions are then slow (seen: up to three times, for 0.1 s).
    """

    def __init__(self, size):
        self.holder = None
        if size:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            self.holder = subprocess.Popen([sys.executable, __file__, str(size + MARGIN)], **pipes)
            if self.holder.stdout.readline() != b"held\n":
                self.free()
                raise RunFailed(f"{size + MARGIN} bytes of memory could not be had before a run; take a smaller --size")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.free()

    def free(self):
        if self.holder:
            with self.holder:
                self.holder.kill()
            self.holder = None


def main():
    memory = mmap.mmap(-1, int(sys.argv[1]), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_HUGEPAGE)
    memory.madvise(POPULATE_WRITE)
    print("held", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
