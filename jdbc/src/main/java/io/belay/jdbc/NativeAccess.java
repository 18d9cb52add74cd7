package io.belay.jdbc;

import io.belay.support.Log;
import io.belay.support.LogName;
import java.lang.reflect.InvocationTargetException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The word on SQLite's driver, which loads a library of its own: Java 24 and later warn of that, and may be told to refuse it. */
final class NativeAccess {
    private static final Log LOG = Log.of(LogName.STORE);
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    /** The first version that warns where nobody has allowed it. */
    private static final int WARNS = 24;

    private NativeAccess() {}

    /** Says in the log, once, what Java's own warning is about, and how it is answered. */
    static void explain(Class<?> driver) {
        Module module = driver.getModule();
        advice(Runtime.version().feature(), isAllowed(module), name(module))
                .filter(advice -> TOLD.compareAndSet(false, true))
                .ifPresent(LOG::info);
    }

    /** Returns what is to be said: nothing where Java does not warn. */
    static Optional<String> advice(int version, boolean allowed, String module) {
        return version < WARNS || allowed
                ? Optional.empty()
                : Optional.of("Java " + version + " warns that SQLite's driver loads a library, which a later Java will"
                        + " refuse: start Java with --enable-native-access=" + module);
    }

    /** Returns what to do, where a failure is that Java has refused it, or could not load it from where the driver had unpacked it. */
    static Optional<String> cure(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IllegalCallerException) {
                return Optional.of(
                        "may not load its library: start Java with --enable-native-access=ALL-UNNAMED (the driver's"
                                + " module instead, if it is one)");
            } else if (String.valueOf(cause.getMessage()).startsWith("No native library found")) {
                return Optional.of("cannot load its library from "
                        + System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir"))
                        + ", which may be full or mounted noexec: start Java with -Djava.io.tmpdir=DIRECTORY of another"
                        + " one (a command by TMPDIR)");
            }
        }
        return Optional.empty();
    }

    private static String name(Module module) {
        String name = module.getName();
        return name == null ? "ALL-UNNAMED" : name;
    }

    /** By reflection, as Java 17 does not know the question. */
    private static boolean isAllowed(Module module) {
        try {
            @Nullable
            Object allowed = Module.class.getMethod("isNativeAccessEnabled").invoke(module);
            return Boolean.TRUE.equals(allowed);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            return true;
        }
    }
}
