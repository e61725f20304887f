package jdiff.runtime.placement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.weights.Placement;

/** Where every parameter of a model goes, how much that is on each device, and why. */
public final class PlacementPlan implements Placement {
    private final Map<String, Home> homes;
    private final List<Row> rows;
    private final List<String> warnings;

    /**
     * A component, or a part of one.
     *
     * @param part empty for the component as a whole
     * @param bytes in memory
     * @param reason why it is there
     */
    public record Row(String component, String part, Device device, long bytes, String reason) {
        @Override
        public String toString() {
            return component + (part.isEmpty() ? "" : " " + part) + ": " + device + ", " + ByteSize.shown(bytes) + ", "
                    + reason;
        }
    }

    /** Where a component is: its blocks, and the rest of it. */
    private record Home(Device rest, Map<String, Device> blocks) {}

    private PlacementPlan(Map<String, Home> homes, List<Row> rows, List<String> warnings) {
        this.homes = homes;
        this.rows = List.copyOf(rows);
        this.warnings = List.copyOf(warnings);
    }

    @Override
    public Device of(String component, String name) {
        Home home = homes.get(component);
        if (home == null) {
            throw new IllegalStateException("no component " + component + " was placed, only " + homes.keySet());
        }
        String block = Parts.blockOf(home.blocks().keySet(), name);
        return block == null
                ? home.rest()
                : Objects.requireNonNull(home.blocks().get(block));
    }

    /** What goes where, in the order of the components; to be shown before loading. */
    public List<Row> rows() {
        return rows;
    }

    /** What a user should know: what is on the CPU for lack of a better place. */
    public List<String> warnings() {
        return warnings;
    }

    /** All devices that hold something. */
    public Set<Device> devices() {
        Set<Device> devices = new LinkedHashSet<>();
        rows.forEach(row -> devices.add(row.device()));
        return devices;
    }

    /** Bytes of weights on a device, after sharding and with the final dtypes. */
    public long bytesOn(Device device) {
        return rows.stream()
                .filter(row -> row.device().equals(device))
                .mapToLong(Row::bytes)
                .sum();
    }

    /** Gathers the components. */
    static final class Builder {
        private final Map<String, Home> homes = new LinkedHashMap<>();
        private final Map<String, List<Row>> rows = new LinkedHashMap<>();
        private final List<String> warnings = new ArrayList<>();

        /** A component in one place. */
        void whole(Parts parts, Device device, String reason) {
            homes.put(parts.component(), new Home(device, Map.of()));
            rows.put(parts.component(), List.of(new Row(parts.component(), "", device, parts.bytes(), reason)));
        }

        /**
         * A component in several places.
         *
         * @param blocks device of each block, in order
         * @param reasons why each block is there
         */
        void cut(Parts parts, Device rest, String restReason, List<Device> blocks, List<String> reasons) {
            Map<String, Device> named = new LinkedHashMap<>();
            List<Row> list = new ArrayList<>();
            if (parts.restBytes() > 0) {
                list.add(new Row(parts.component(), "without its blocks", rest, parts.restBytes(), restReason));
            }
            int start = 0;
            for (int i = 0; i < blocks.size(); i++) {
                named.put(parts.blocks().get(i).name(), blocks.get(i));
                if (i + 1 == blocks.size()
                        || !blocks.get(i + 1).equals(blocks.get(i))
                        || !listOf(parts, i + 1).equals(listOf(parts, i))) {
                    long bytes = parts.blocks().subList(start, i + 1).stream()
                            .mapToLong(Parts.Block::bytes)
                            .sum();
                    list.add(new Row(
                            parts.component(), range(parts, start, i), blocks.get(i), bytes, reasons.get(start)));
                    start = i + 1;
                }
            }
            homes.put(parts.component(), new Home(rest, named));
            rows.put(parts.component(), list);
        }

        void warn(String text) {
            warnings.add(text);
        }

        /** The plan, its rows in the order of {@code components}. */
        PlacementPlan build(List<Parts> components) {
            List<Row> ordered = new ArrayList<>();
            components.forEach(parts -> ordered.addAll(Objects.requireNonNull(rows.get(parts.component()))));
            return new PlacementPlan(homes, ordered, warnings);
        }
    }

    /** {@code transformer_blocks.3}, or {@code transformer_blocks.3-7}. */
    static String range(Parts parts, int first, int last) {
        String from = parts.blocks().get(first).name();
        String to = parts.blocks().get(last).name();
        return first == last ? from : from + "-" + to.substring(to.lastIndexOf('.') + 1);
    }

    private static String listOf(Parts parts, int index) {
        String name = parts.blocks().get(index).name();
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }
}
