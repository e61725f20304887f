package jdiff.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.ObjectInputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Holds the arrows between modules and packages. */
@AnalyzeClasses(packages = "jdiff", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String TENSOR = "jdiff.runtime.tensor..";
    private static final String DISTRIBUTED = "jdiff.runtime.distributed..";

    @ArchTest
    static final ArchRule launcher_does_not_know_runtime = noClasses()
            .that()
            .resideInAPackage("jdiff.launcher..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jdiff.runtime..", "jdiff.cli..");

    @ArchTest
    static final ArchRule runtime_does_not_know_launcher = noClasses()
            .that()
            .resideInAPackage("jdiff.runtime..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jdiff.launcher..", "jdiff.cli..");

    @ArchTest
    static final ArchRule launcher_needs_the_jdk_the_log_api_and_a_json_parser_only = classes()
            .that()
            .resideInAPackage("jdiff.launcher..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "jdiff.launcher..",
                    "java..",
                    "org.apache.logging.log4j",
                    "com.fasterxml.jackson.core..",
                    "org.jspecify.annotations");

    @ArchTest
    static final ArchRule only_tensor_and_distributed_touch_libtorch = noClasses()
            .that()
            .resideOutsideOfPackages(TENSOR, DISTRIBUTED)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.bytedeco..");

    @ArchTest
    static final ArchRule nothing_is_deserialised_by_java =
            noClasses().should().dependOnClassesThat().areAssignableTo(ObjectInputStream.class);

    /** Package of the runtime → those of the runtime that it may use besides itself. */
    private static final Map<String, Set<String>> RUNTIME = Map.ofEntries(
            Map.entry("fault", Set.of()),
            Map.entry("config", Set.of("fault")),
            Map.entry("natives", Set.of("fault")),
            Map.entry("tensor", Set.of("natives", "fault")),
            Map.entry("distributed", Set.of("tensor", "natives", "fault")),
            Map.entry("safetensors", Set.of("tensor", "config", "fault")),
            Map.entry("loading", Set.of("safetensors", "tensor", "config", "fault")),
            Map.entry("weights", Set.of("loading", "safetensors", "distributed", "tensor", "config", "fault")),
            Map.entry(
                    "placement",
                    Set.of("weights", "loading", "safetensors", "distributed", "tensor", "config", "fault")),
            Map.entry("nn", Set.of("weights", "distributed", "tensor")),
            Map.entry("model", Set.of("nn", "weights", "tensor", "config", "fault")),
            Map.entry("scheduler", Set.of("tensor", "config", "fault")),
            Map.entry("tokenizer", Set.of("config", "natives", "fault")),
            Map.entry("image", Set.of("fault")),
            Map.entry(
                    "pipeline",
                    Set.of(
                            "model",
                            "nn",
                            "weights",
                            "loading",
                            "safetensors",
                            "distributed",
                            "scheduler",
                            "tokenizer",
                            "image",
                            "tensor",
                            "config",
                            "fault")),
            Map.entry(
                    "job",
                    Set.of("pipeline", "image", "loading", "safetensors", "distributed", "tensor", "config", "fault")));

    @ArchTest
    static void packages_of_the_runtime_use_only_what_stands_below_them(JavaClasses classes) {
        RUNTIME.forEach((user, used) -> {
            List<String> others = RUNTIME.keySet().stream()
                    .filter(name -> !name.equals(user) && !used.contains(name))
                    .map(name -> "jdiff.runtime." + name + "..")
                    .toList();
            noClasses()
                    .that()
                    .resideInAPackage("jdiff.runtime." + user + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(others.toArray(String[]::new))
                    .check(classes);
        });
    }

    @ArchTest
    static void every_package_of_the_runtime_has_its_place_in_the_table(JavaClasses classes) {
        for (JavaClass type : classes) {
            String name = type.getPackageName();
            if (name.startsWith("jdiff.runtime.")) {
                assertThat(RUNTIME).containsKey(name.split("\\.", -1)[2]);
            }
        }
    }

    @ArchTest
    static final ArchRule packages_of_the_launcher_form_no_knot_below_the_root =
            slices().matching("jdiff.launcher.(*)..").should().beFreeOfCycles();
}
