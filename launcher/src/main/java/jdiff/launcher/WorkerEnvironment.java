package jdiff.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdiff.launcher.host.Host;

/** The environment of one worker: torchrun's variables, thread counts and jdiff's own, on top of the launcher's environment. */
final class WorkerEnvironment {
    private final Map<String, String> inherited;
    private final Map<String, String> set = new TreeMap<>();
    private final List<String> withheld = new ArrayList<>(Names.WITHHELD);

    private WorkerEnvironment(Host host) {
        this.inherited = host.environment();
    }

    static WorkerEnvironment of(JobSpec spec, Bindings bindings, int localRank) {
        var environment = new WorkerEnvironment(spec.host());
        environment.ranks(spec, localRank);
        environment.store(spec, bindings);
        environment.job(spec, bindings, localRank);
        environment.threadsAndDevices(spec, localRank);
        if (spec.program() instanceof Program.Java) {
            environment.javaWorker(spec);
        } else {
            environment.ownLocale();
        }
        return environment;
    }

    Map<String, String> variables() {
        return set;
    }

    List<String> withheld() {
        return withheld;
    }

    private void ranks(JobSpec spec, int localRank) {
        Ranks ranks = spec.ranks();
        put(Names.RANK, localRank);
        put(Names.LOCAL_RANK, ranks.virtualLocalRank() ? 0 : localRank);
        put(Names.WORLD_SIZE, ranks.worldSize());
        put(Names.LOCAL_WORLD_SIZE, ranks.perNode());
        put(Names.GROUP_RANK, 0);
        put(Names.GROUP_WORLD_SIZE, 1);
        put(Names.ROLE_NAME, ranks.role());
        put(Names.ROLE_RANK, localRank);
        put(Names.ROLE_WORLD_SIZE, ranks.worldSize());
    }

    private void store(JobSpec spec, Bindings bindings) {
        put(Names.MASTER_ADDR, spec.address());
        put(Names.MASTER_PORT, bindings.port());
        put(Names.USE_AGENT_STORE, "True");
        putIfUnset(Names.GLOO_SOCKET_IFNAME, "lo");
    }

    private void job(JobSpec spec, Bindings bindings, int localRank) {
        put(Names.RESTART_COUNT, bindings.attempt());
        put(Names.MAX_RESTARTS, spec.policy().maxRestarts());
        put(Names.RUN_ID, spec.ranks().jobId());
        put(Names.ERROR_FILE, bindings.rankDirectory(localRank) + "/error.json");
        put(Names.SIGNALS_TO_HANDLE, signals(spec));
        put(Names.LAUNCH_ID, bindings.launchId());
        put(Names.PARENT_PID, bindings.parentPid());
        put(Names.ATTEMPT, bindings.attempt());
        put(Names.DEVICE, spec.ranks().device());
        put(Names.RESTART_SCOPE, "job");
        put(Names.SHUTDOWN_TIMEOUT, Policy.seconds(spec.policy().grace()));
        put(Names.COLLECTIVE_TIMEOUT, "auto");
    }

    private static String signals(JobSpec spec) {
        var names = new StringBuilder();
        for (String name : spec.policy().signals()) {
            names.append(names.isEmpty() ? "" : ",").append("SIG").append(name);
        }
        return names.toString();
    }

    private void threadsAndDevices(JobSpec spec, int localRank) {
        String threads = Integer.toString(spec.cpusPerWorker());
        putIfUnset(Names.NCCL_ASYNC_ERROR_HANDLING, "1");
        putIfUnset(Names.OMP_NUM_THREADS, threads);
        putIfUnset(Names.MKL_NUM_THREADS, threads);
        if (spec.ranks().virtualLocalRank() && !spec.host().gpus().isEmpty()) {
            put(
                    Names.CUDA_VISIBLE_DEVICES,
                    spec.host().gpus().get(localRank % spec.host().gpus().size()));
        }
    }

    private void javaWorker(JobSpec spec) {
        put(Names.CONTROL, "stdin");
        put(Names.RESULT_FD, 3);
        put(Names.CONSOLE, spec.output().console());
        if (!spec.host().utf8Locale()) {
            put(Names.LC_ALL, "C.UTF-8");
        }
        // Spinning OpenMP threads would keep the CPUs from the threads of OpenBLAS, which has a pool of its own: beside
        // another busy process, a picture with two threads took over 20 times as long.
        putIfUnset(Names.OMP_WAIT_POLICY, "PASSIVE");
        if (spec.ranks().device().equals("cpu") && spec.host().hugePages()) {
            putIfUnset(Names.THP_MEM_ALLOC_ENABLE, "1");
        }
    }

    /** The start script runs Java in a UTF-8 locale; a program gets the locale that the user has. */
    private void ownLocale() {
        String own = inherited.get(Names.USERS_LC_ALL);
        withheld.add(Names.USERS_LC_ALL);
        if (own != null && own.isEmpty()) {
            withheld.add(Names.LC_ALL);
        } else if (own != null) {
            put(Names.LC_ALL, own);
        }
    }

    private void put(String name, Object value) {
        set.put(name, value.toString());
    }

    private void putIfUnset(String name, String value) {
        if (!inherited.containsKey(name)) {
            set.put(name, value);
        }
    }
}
