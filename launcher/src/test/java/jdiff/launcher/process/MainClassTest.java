package jdiff.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainClassTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "public class Hello { }|Hello",
                "package a.b; import java.util.*; final class X { class Inner {} } class Y {}|a.b.X",
                "/* class No {} */ // class Neither\\nrecord R(int a) {}|R",
                "@Note(\"class No {\") enum E { A }|E",
                "interface I { String s = \"}\"; } class Z {}|I",
                "class C { char c = '{'; String t = \"\"\"\\n class \"Q\" { \"\"\"; } class D {}|C"
            })
    void the_first_top_level_type_is_found(String source, String name) {
        assertThat(MainClass.of(source.replace("\\n", "\n"))).hasValue(name);
    }

    @Test
    void a_file_without_types_has_no_name_of_its_own() {
        assertThat(MainClass.of("void main() { println(\"class A {}\"); }")).isEmpty();
        assertThat(MainClass.of("")).isEmpty();
    }

    @Test
    void any_text_is_survived() {
        var random = new Random(2);
        for (int i = 0; i < 5000; i++) {
            var text = new StringBuilder();
            int length = random.nextInt(40);
            for (int j = 0; j < length; j++) {
                text.append("class A{}()\"'\\/*\n;".charAt(random.nextInt(18)));
            }
            MainClass.of(text.toString());
        }
    }
}
