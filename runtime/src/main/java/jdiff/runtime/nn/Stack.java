package jdiff.runtime.nn;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Movable;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.TensorGroup;
import jdiff.runtime.weights.Weights;

/**
 * The blocks of a net in order, each on the device of its parameters. Blocks know nothing of devices: the stack brings them what they
 * need. Where all blocks are on one device it is a loop over them.
 *
 * @param <B> a block
 */
public final class Stack<B> {
    private final List<Placed<B>> blocks;
    private final Device home;
    private final Device last;

    /** A block, and the way to it from the one before. */
    private record Placed<B>(B block, Seam seam) {}

    /**
     * What a block computes.
     *
     * @param <B> the block
     * @param <S> what goes from block to block
     * @param <I> what all blocks read
     */
    @FunctionalInterface
    public interface Step<B, S, I> {
        S apply(B block, S state, I inputs);
    }

    /**
     * @param devices that of each block
     */
    Stack(Device home, List<B> blocks, List<Device> devices) {
        List<Placed<B>> placed = new ArrayList<>(blocks.size());
        for (int i = 0; i < blocks.size(); i++) {
            placed.add(new Placed<>(blocks.get(i), new Seam(i == 0 ? home : devices.get(i - 1), devices.get(i))));
        }
        this.home = home;
        this.blocks = List.copyOf(placed);
        this.last = blocks.isEmpty() ? home : devices.get(blocks.size() - 1);
    }

    /**
     * Makes the blocks.
     *
     * @param home where the net's other parameters are: states come from there and return there
     * @param w at the list of blocks, for instance {@code transformer_blocks}
     * @param make a block from its cursor and number
     */
    public static <B> Stack<B> of(Device home, Weights w, int numBlocks, BiFunction<Weights, Integer, B> make) {
        List<B> blocks = new ArrayList<>(numBlocks);
        List<Device> devices = new ArrayList<>(numBlocks);
        for (int i = 0; i < numBlocks; i++) {
            Weights cursor = w.block(i);
            blocks.add(make.apply(cursor, i));
            devices.add(cursor.device());
        }
        return new Stack<>(home, blocks, devices);
    }

    /**
     * {@code state = step(block, state, inputs)} over the blocks. Both are brought to each block's device, the inputs once to each
     * device.
     *
     * @param start on the home device, and stays with its owner
     * @param inputs on the home device
     * @return on the home device
     */
    public <S extends Movable<S> & TensorGroup, I extends Movable<I>> S fold(S start, I inputs, Step<B, S, I> step) {
        return Scope.tidy(() -> {
            Map<Device, I> everywhere = new HashMap<>();
            everywhere.put(home, inputs);
            for (Placed<B> placed : blocks) {
                Device device = placed.seam().to();
                if (!everywhere.containsKey(device)) {
                    everywhere.put(device, new Seam(home, device).cross(inputs));
                }
            }
            S end = Scope.fold(start, blocks, (state, placed) -> {
                Seam seam = placed.seam();
                return step.apply(placed.block(), seam.cross(state), Objects.requireNonNull(everywhere.get(seam.to())));
            });
            return new Seam(last, home).cross(end);
        });
    }
}
