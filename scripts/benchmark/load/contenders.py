"""What is run: jdiff, Diffusers and plain reads, each as a command that loads a folder and prints one line of JSON."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
MAIN_CLASS = "jdiff.cli.benchmark.LoadMain"
# What would favour one side, or change how it loads behind the benchmark's back.
UNSET = ["OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "THP_MEM_ALLOC_ENABLE", "HF_ENABLE_PARALLEL_LOADING", "HF_PARALLEL_LOADING_WORKERS"]


@dataclass(frozen=True)
class Contender:
    name: str
    command: list
    environment: dict = field(default_factory=dict)
    ranks: int = 1

    def environment_of(self, rank, threads, port):
        """The environment of one of its processes, with torchrun's variables where there are several."""
        environment = {name: value for name, value in os.environ.items() if name not in UNSET}
        environment |= {"OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads), "HF_HUB_OFFLINE": "1"}
        if self.ranks > 1:
            environment |= {"RANK": str(rank), "LOCAL_RANK": str(rank)}
            environment |= {"WORLD_SIZE": str(self.ranks), "LOCAL_WORLD_SIZE": str(self.ranks)}
            # Without a run id jdiff takes these for leftovers of another job.
            environment |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "TORCHELASTIC_RUN_ID": "bench"}
        return environment | self.environment


class Jdiff:
    """The installation of jdiff, built if need be; its processes get what the launcher gives a worker."""

    def __init__(self, root):
        subprocess.run([root / "scripts" / "jdiff", "--version"], check=True, stdout=subprocess.DEVNULL)
        java = Path(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else shutil.which("java")
        self.java = Path(java).resolve()
        self.args = root / "cli" / "target" / "jdiff" / f"jdk-{self._version()}" / "worker.args"
        if not self.args.exists():
            sys.exit(f"bench: {root / 'scripts' / 'jdiff'} left no {self.args}")

    def _version(self):
        for line in (self.java.parent.parent / "release").read_text().splitlines():
            name, _, value = line.partition("=")
            if name == "JAVA_RUNTIME_VERSION":
                return value.strip('"')
        sys.exit(f"bench: {self.java.parent.parent / 'release'} names no JAVA_RUNTIME_VERSION")

    def contender(self, name, model, dtype="auto", io="auto", readers=None, ranks=1, tensor_parallel=None, huge=False):
        command = [self.java, f"@{self.args}", MAIN_CLASS, "--model", model, "--dtype", dtype, "--io", io]
        command += ["--readers", str(readers)] if readers else []
        if tensor_parallel is not None:
            command += ["--tp-degree", str(ranks), *tensor_parallel]
        environment = {"OMP_WAIT_POLICY": "PASSIVE", "LC_ALL": "C.UTF-8"}
        environment |= {"THP_MEM_ALLOC_ENABLE": "1"} if huge else {}
        return Contender(name, command, environment, ranks)


def diffusers(name, model, dtype, mode, parallel, ranks=1):
    command = [sys.executable, HERE / "load_peer.py", "--model", model, "--dtype", dtype, "--mode", mode]
    return Contender(name, command, {"HF_ENABLE_PARALLEL_LOADING": "1" if parallel else "0"}, ranks)


def diffusers_both(model, dtype, mode):
    """Diffusers without and with parallel loading; the faster counts."""
    return [
        diffusers(f"Diffusers {mode}, parallel {word}", model, dtype, mode, parallel)
        for word, parallel in (("off", False), ("on", True))
    ]


def plain_read(name, model, readers, huge=False):
    command = [sys.executable, HERE / "load_plain.py", "--model", model, "--readers", str(readers)]
    return Contender(name, command + (["--huge-pages"] if huge else []))


def raw_device(name, model):
    return Contender(name, [sys.executable, HERE / "load_plain.py", "--model", model, "--direct"])
