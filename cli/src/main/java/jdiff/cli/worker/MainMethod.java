package jdiff.cli.worker;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import jdiff.launcher.Cause;
import jdiff.launcher.LaunchException;

/** The main method of a program: {@code static void main(String[])}, or without arguments, or of an instance as newer JDKs allow. */
final class MainMethod {
    private MainMethod() {}

    /** Runs a class by name and throws what it throws. */
    static void run(String className, String[] args) throws Throwable {
        Class<?> type;
        try {
            type = Class.forName(className, true, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException e) {
            throw new LaunchException(Cause.USAGE, "there is no class " + className + " on the class path", e);
        }
        Method main = find(type);
        try {
            main.setAccessible(true);
            Object target = Modifier.isStatic(main.getModifiers()) ? null : instance(type);
            if (main.getParameterCount() == 0) {
                main.invoke(target);
            } else {
                main.invoke(target, (Object) args);
            }
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static Object instance(Class<?> type) throws ReflectiveOperationException {
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    private static Method find(Class<?> type) throws LaunchException {
        for (Class<?> level = type; level != null; level = level.getSuperclass()) {
            for (Method method : level.getDeclaredMethods()) {
                Class<?>[] parameters = method.getParameterTypes();
                boolean takesWords = parameters.length == 1 && parameters[0] == String[].class;
                if (method.getName().equals("main") && (takesWords || parameters.length == 0)) {
                    return method;
                }
            }
        }
        throw new LaunchException(Cause.USAGE, "class " + type.getName() + " has no main method");
    }
}
