package jdiff.runtime.pipeline;

import java.util.List;
import jdiff.runtime.config.Config;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/** A model folder with its {@code model_index.json}: which pipeline it is and what its components are. */
final class ModelIndex {
    private static final String FILE = "model_index.json";

    private final ModelFolder folder;
    private final Config index;

    private ModelIndex(ModelFolder folder, Config index) {
        this.folder = folder;
        this.index = index;
    }

    static ModelIndex read(ModelFolder folder) throws FaultException {
        if (!folder.has(FILE)) {
            throw new FaultException(
                    Fault.NO_INPUT,
                    folder.path() + " has no " + FILE + ", so it is no Diffusers pipeline folder; it holds "
                            + folder.holds());
        }
        return new ModelIndex(folder, Config.read(folder.file(FILE)));
    }

    /** The file, for messages. */
    String path() {
        return index.file();
    }

    String className() throws FaultException {
        return index.string("_class_name");
    }

    /**
     * The folder of a component.
     *
     * @param classes that this pipeline can use there
     * @throws FaultException if the index lacks it or names another class, or the folder is missing
     */
    ModelFolder folder(String name, String... classes) throws FaultException {
        requireClass(name, classes);
        return folder.sub(name);
    }

    /** The folder of a component whose class was checked with its config. */
    ModelFolder folder(String name) throws FaultException {
        return folder.sub(name);
    }

    private void requireClass(String name, String... classes) throws FaultException {
        Config.Component component = index.component(name);
        if (component == null) {
            throw index.error(
                    name, "the pipeline " + className() + " needs this component, but the index has none of that name");
        }
        if (!List.of(classes).contains(component.className())) {
            throw index.error(
                    name,
                    "class " + component.className() + " is not supported here; supported: "
                            + String.join(", ", classes));
        }
    }

    /**
     * The {@code config.json} of a component.
     *
     * @throws FaultException as {@link #folder}, or if the config names another class than the index
     */
    Config config(String name, String className) throws FaultException {
        return config(name, className, "config.json");
    }

    Config config(String name, String className, String file) throws FaultException {
        Config config = Config.read(folder(name, className).file(file));
        String own = config.string("_class_name", className);
        if (!own.equals(className)) {
            throw config.error("_class_name", "is " + own + ", but " + FILE + " says " + className);
        }
        // What Transformers writes in place of _class_name.
        if (config.has("architectures")) {
            List<String> architectures = config.strings("architectures");
            if (!architectures.isEmpty() && !architectures.contains(className)) {
                throw config.error(
                        "architectures",
                        "is " + Shown.cut(String.join(", ", architectures), 200) + ", but " + FILE + " says "
                                + className);
            }
        }
        return config;
    }
}
