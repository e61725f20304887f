package jdiff.cli.launch;

import java.util.List;
import jdiff.launcher.host.Host;
import org.apache.logging.log4j.LogManager;

/** How many workers, on which kind of device. */
record Devices(int workers, String device) {
    static Devices resolve(RankOptions options, Host host) {
        List<String> gpus = host.gpus();
        String wanted = Values.word("--device", options.device, "auto", "cuda", "cpu");
        String device = wanted.equals("auto") ? (gpus.isEmpty() ? "cpu" : "cuda") : wanted;
        if (device.equals("cuda") && gpus.isEmpty()) {
            throw new IllegalArgumentException("--device cuda: no GPU is visible" + hint(host));
        }
        int workers = workers(options.nprocPerNode, device, host);
        if (device.equals("cuda") && workers > gpus.size() && !options.allowOversubscribe) {
            throw new IllegalArgumentException(
                    "--nproc-per-node " + options.nprocPerNode + ": " + workers + " workers need "
                            + workers + " GPUs, " + gpus.size() + (gpus.size() == 1 ? " is" : " are")
                            + " visible; use fewer workers,"
                            + " --allow-oversubscribe or --device cpu");
        }
        if (workers > host.cpus()) {
            LogManager.getLogger().warn("{} workers share {} usable CPUs", workers, host.cpus());
        }
        return new Devices(workers, device);
    }

    private static int workers(String text, String device, Host host) {
        return switch (text) {
            case "gpu" -> gpus(host);
            case "cpu" -> host.cpus();
            case "auto" -> device.equals("cuda") ? host.gpus().size() : host.cpus();
            default -> number(text);
        };
    }

    private static int gpus(Host host) {
        if (host.gpus().isEmpty()) {
            throw new IllegalArgumentException("--nproc-per-node gpu: no GPU is visible" + hint(host));
        }
        return host.gpus().size();
    }

    private static int number(String text) {
        try {
            return Values.integer("--nproc-per-node", text, 1, 65536);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--nproc-per-node must be a whole number of at least 1, auto, cpu or gpu, found '" + text + "'", e);
        }
    }

    private static String hint(Host host) {
        String list = host.environment().get("CUDA_VISIBLE_DEVICES");
        return list == null ? " (no /dev/nvidia<N>)" : " (CUDA_VISIBLE_DEVICES='" + list + "')";
    }
}
