package jdiff.runtime.nn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import jdiff.runtime.golden.Golden;
import jdiff.runtime.model.qwenimage.GridShape;
import jdiff.runtime.model.qwenimage.QwenImagePositions;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of Qwen-Image for even, odd, tall, several and moving pictures; angles are float32, hence 1e-5. */
class RopeTest {
    private static final double TOLERANCE = 1e-5;

    private record Case(int[] axes, List<GridShape> shapes, int textLength) {
        static Case of(String name) {
            return switch (name) {
                case "even" -> new Case(new int[] {16, 56, 56}, List.of(new GridShape(1, 4, 6)), 7);
                case "odd" -> new Case(new int[] {16, 56, 56}, List.of(new GridShape(1, 5, 7)), 3);
                case "tall" -> new Case(new int[] {8, 12, 12}, List.of(new GridShape(1, 9, 1)), 11);
                case "two_images" ->
                    new Case(new int[] {8, 12, 12}, List.of(new GridShape(1, 5, 3), new GridShape(1, 3, 8)), 5);
                default -> new Case(new int[] {4, 6, 6}, List.of(new GridShape(3, 3, 5)), 4);
            };
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"even", "odd", "tall", "two_images", "video"})
    void tables_and_rotation_equal_diffusers(String name) throws IOException {
        Golden golden = Golden.open("components/rope.safetensors");
        Case c = Case.of(name);
        Rope image = Rope.of(QwenImagePositions.image(c.shapes(), Device.CPU), c.axes(), 10_000);
        Rope text = Rope.of(QwenImagePositions.text(c.textLength(), c.shapes(), Device.CPU), c.axes(), 10_000);
        assertClose(table(image), golden.tensor("qwen." + name + ".image"));
        assertClose(table(text), golden.tensor("qwen." + name + ".text"));
        assertClose(
                image.rotate(golden.tensor("qwen." + name + ".apply_input")),
                golden.tensor("qwen." + name + ".apply_output"));
    }

    private static Tensor table(Rope rope) {
        return rope.rotation().viewAsReal().squeeze(2).squeeze(0); // [S, D/2, 2]
    }

    private static void assertClose(Tensor actual, Tensor expected) {
        assertThat(actual.shape()).isEqualTo(expected.shape());
        assertThat(actual.sub(expected).abs().max().item()).isLessThanOrEqualTo(TOLERANCE);
    }
}
