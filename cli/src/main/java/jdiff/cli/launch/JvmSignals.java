package jdiff.cli.launch;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * The JDK's only face of signals, {@code sun.misc.Signal} of module jdk.unsupported. By reflection, because the compiler warns of
 * it in a way that cannot be suppressed, and warnings are errors here.
 */
final class JvmSignals {
    private static final String SIGNAL = "sun.misc.Signal";
    private static final String HANDLER = "sun.misc.SignalHandler";

    private JvmSignals() {}

    /** Calls an action, on a thread of its own, whenever the signal (a name without SIG) comes; false if that is impossible. */
    static boolean handle(String name, Runnable action) {
        try {
            InvocationHandler invoke = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    action.run();
                    yield null;
                }
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == arguments[0];
                default -> name;
            };
            Class<?> type = Class.forName(HANDLER);
            return install(name, type, Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, invoke));
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /** Gives a signal back to the system's default. */
    static boolean restoreDefault(String name) {
        try {
            Class<?> type = Class.forName(HANDLER);
            return install(name, type, type.getField("SIG_DFL").get(null));
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    private static boolean install(String name, Class<?> handlerType, Object handler)
            throws ReflectiveOperationException {
        Class<?> type = Class.forName(SIGNAL);
        Object signal = type.getConstructor(String.class).newInstance(name);
        type.getMethod("handle", type, handlerType).invoke(null, signal, handler);
        return true;
    }
}
