package jdiff.launcher;

import java.util.List;

/** Names that launcher and workers share: environment variables and control words. The runtime has its own copy; a test holds them equal. */
public final class Names {
    public static final String RANK = "RANK";
    public static final String LOCAL_RANK = "LOCAL_RANK";
    public static final String WORLD_SIZE = "WORLD_SIZE";
    public static final String LOCAL_WORLD_SIZE = "LOCAL_WORLD_SIZE";
    public static final String GROUP_RANK = "GROUP_RANK";
    public static final String GROUP_WORLD_SIZE = "GROUP_WORLD_SIZE";
    public static final String ROLE_NAME = "ROLE_NAME";
    public static final String ROLE_RANK = "ROLE_RANK";
    public static final String ROLE_WORLD_SIZE = "ROLE_WORLD_SIZE";
    public static final String MASTER_ADDR = "MASTER_ADDR";
    public static final String MASTER_PORT = "MASTER_PORT";
    public static final String USE_AGENT_STORE = "TORCHELASTIC_USE_AGENT_STORE";
    public static final String RESTART_COUNT = "TORCHELASTIC_RESTART_COUNT";
    public static final String MAX_RESTARTS = "TORCHELASTIC_MAX_RESTARTS";
    public static final String RUN_ID = "TORCHELASTIC_RUN_ID";
    public static final String ERROR_FILE = "TORCHELASTIC_ERROR_FILE";
    public static final String SIGNALS_TO_HANDLE = "TORCHELASTIC_SIGNALS_TO_HANDLE";
    public static final String LOG_LINE_PREFIX_TEMPLATE = "TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE";
    public static final String NCCL_ASYNC_ERROR_HANDLING = "TORCH_NCCL_ASYNC_ERROR_HANDLING";
    public static final String OMP_NUM_THREADS = "OMP_NUM_THREADS";
    public static final String MKL_NUM_THREADS = "MKL_NUM_THREADS";
    /** How idle OpenMP threads wait. */
    public static final String OMP_WAIT_POLICY = "OMP_WAIT_POLICY";

    public static final String CUDA_VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES";
    public static final String GLOO_SOCKET_IFNAME = "GLOO_SOCKET_IFNAME";
    public static final String LAUNCH_ID = "JDIFF_LAUNCH_ID";
    public static final String PARENT_PID = "JDIFF_PARENT_PID";
    public static final String ATTEMPT = "JDIFF_ATTEMPT";
    public static final String DEVICE = "JDIFF_DEVICE";
    public static final String RESTART_SCOPE = "JDIFF_RESTART_SCOPE";
    public static final String SHUTDOWN_TIMEOUT = "JDIFF_SHUTDOWN_TIMEOUT";
    public static final String COLLECTIVE_TIMEOUT = "JDIFF_COLLECTIVE_TIMEOUT";
    public static final String CONTROL = "JDIFF_CONTROL";
    public static final String RESULT_FD = "JDIFF_RESULT_FD";
    public static final String CONSOLE = "JDIFF_CONSOLE";
    public static final String LC_ALL = "LC_ALL";
    /** LC_ALL as the user had it, or empty, where the start script has changed it. */
    public static final String USERS_LC_ALL = "JDIFF_LC_ALL";

    public static final String THP_MEM_ALLOC_ENABLE = "THP_MEM_ALLOC_ENABLE";

    /** Never handed to workers: JVM flags meant for the launcher's JVM, and the secret of the launchers. */
    public static final List<String> WITHHELD =
            List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "JDIFF_TOKEN_FILE", "JDIFF_LAST_EXIT");

    /** Control words on the stdin of a Java worker, one a line; end of file means that the launcher is gone. */
    public static final String GO = "go";

    public static final String DRAIN = "drain";
    public static final String ABORT = "abort";

    private Names() {}
}
