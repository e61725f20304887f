package jdiff.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.ObjectInputStream;

/** Holds the arrows between modules and packages. */
@AnalyzeClasses(packages = "jdiff", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String TENSOR = "jdiff.runtime.tensor..";
    private static final String DISTRIBUTED = "jdiff.runtime.distributed..";
    private static final String WEIGHTS = "jdiff.runtime.weights..";
    private static final String NN = "jdiff.runtime.nn..";
    private static final String MODEL = "jdiff.runtime.model..";
    private static final String PIPELINE = "jdiff.runtime.pipeline..";
    private static final String IMAGE = "jdiff.runtime.image..";
    private static final String JOB = "jdiff.runtime.job..";
    private static final String SCHEDULER = "jdiff.runtime.scheduler..";
    private static final String TOKENIZER = "jdiff.runtime.tokenizer..";
    private static final String CONFIG = "jdiff.runtime.config..";
    private static final String FAULT = "jdiff.runtime.fault..";

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

    @ArchTest
    static final ArchRule tensor_is_at_the_bottom =
            mayNotUse(TENSOR, DISTRIBUTED, WEIGHTS, NN, MODEL, PIPELINE, IMAGE, JOB, SCHEDULER, TOKENIZER);

    @ArchTest
    static final ArchRule distributed_uses_tensor_only =
            mayNotUse(DISTRIBUTED, WEIGHTS, NN, MODEL, PIPELINE, IMAGE, JOB, SCHEDULER, TOKENIZER);

    @ArchTest
    static final ArchRule weights_use_distributed_and_tensor =
            mayNotUse(WEIGHTS, NN, MODEL, PIPELINE, IMAGE, JOB, SCHEDULER, TOKENIZER);

    @ArchTest
    static final ArchRule nn_knows_no_model = mayNotUse(NN, MODEL, PIPELINE, IMAGE, JOB, SCHEDULER, TOKENIZER);

    @ArchTest
    static final ArchRule models_know_no_pipeline = mayNotUse(MODEL, PIPELINE, IMAGE, JOB, SCHEDULER, TOKENIZER);

    @ArchTest
    static final ArchRule pipelines_and_images_know_no_job = noClasses()
            .that()
            .resideInAnyPackage(PIPELINE, IMAGE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(JOB)
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule schedulers_use_tensors_only =
            mayNotUse(SCHEDULER, DISTRIBUTED, WEIGHTS, NN, MODEL, PIPELINE, IMAGE, JOB, TOKENIZER);

    @ArchTest
    static final ArchRule leaves_use_nothing_of_the_runtime = noClasses()
            .that()
            .resideInAnyPackage(CONFIG, FAULT, TOKENIZER)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(TENSOR, DISTRIBUTED, WEIGHTS, NN, MODEL, PIPELINE, IMAGE, JOB, SCHEDULER)
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule packages_of_the_launcher_form_no_knot_below_the_root =
            slices().matching("jdiff.launcher.(*)..").should().beFreeOfCycles();

    private static ArchRule mayNotUse(String user, String... used) {
        return noClasses()
                .that()
                .resideInAPackage(user)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(used)
                .allowEmptyShould(true);
    }
}
