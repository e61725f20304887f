package jdiff.launcher.host;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** GPUs that workers would see: the entries of CUDA_VISIBLE_DEVICES (index, UUID, MIG: opaque), else the device files. */
public final class Gpus {
    private Gpus() {}

    public static List<String> visible(Map<String, String> environment) {
        return visible(environment, Path.of("/dev"));
    }

    /**
     * As {@link #visible(Map)}, with the device files of another machine.
     *
     * @param dev its {@code /dev}
     */
    public static List<String> visible(Map<String, String> environment, Path dev) {
        String list = environment.get("CUDA_VISIBLE_DEVICES");
        return list == null ? deviceFiles(dev) : entries(list);
    }

    /** As CUDA reads the list: it ends at the first entry that cannot be a device. */
    private static List<String> entries(String list) {
        List<String> gpus = new ArrayList<>();
        for (String entry : list.split(",", -1)) {
            String name = entry.strip();
            if (name.isEmpty() || name.startsWith("-") || name.equalsIgnoreCase("none") || name.equals("NoDevFiles")) {
                break;
            }
            gpus.add(name);
        }
        return gpus;
    }

    private static List<String> deviceFiles(Path dev) {
        var numbers = new TreeSet<Integer>();
        try (var files = Files.newDirectoryStream(dev, "nvidia[0-9]*")) {
            for (Path file : files) {
                String digits = file.getFileName().toString().substring("nvidia".length());
                if (digits.length() < 6 && digits.chars().allMatch(Character::isDigit)) {
                    numbers.add(Integer.parseInt(digits));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return List.of();
        }
        List<String> gpus = new ArrayList<>();
        for (int i = 0; i < numbers.size(); i++) {
            gpus.add(Integer.toString(i)); // CUDA counts devices from 0, whatever their minor numbers
        }
        return gpus;
    }
}
