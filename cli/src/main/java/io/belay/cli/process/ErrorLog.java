package io.belay.cli.process;

import io.belay.support.LogName;
import io.belay.support.UrlPasswords;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * The log of the command line: warnings, a line each on the error output, without the stacks that a command itself tells in
 * one line. It is no service, so that programs that have this jar on their class path log as they like; and it reads no
 * settings, which took a third of a command's time.
 */
public final class ErrorLog implements SLF4JServiceProvider {
    /** The loggers of those lines that a command tells itself, with what it does about them. */
    private static volatile Set<String> told = Set.of();

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();

    /** Has this process log so; called before anything logs. */
    public static void use() {
        System.setProperty("slf4j.provider", ErrorLog.class.getName());
        System.setProperty("slf4j.internal.verbosity", "WARN");
    }

    /** Leaves out what is logged under these names, for a command that tells it itself. */
    public static void leaveOut(LogName... names) {
        told = Arrays.stream(names).map(LogName::text).collect(Collectors.toSet());
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return Lines::new;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {}

    private static final class Lines extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1;

        /** Whether it logs what Belay tells better itself. */
        private final boolean silent;

        Lines(String name) {
            this.name = name;
            silent = name.startsWith("com.zaxxer.hikari")
                    || name.startsWith("io.etcd")
                    || name.equals("org.sqlite.SQLiteJDBCLoader");
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return false;
        }

        @Override
        public boolean isWarnEnabled() {
            return !silent && !told.contains(name);
        }

        @Override
        public boolean isErrorEnabled() {
            return !silent && !told.contains(name);
        }

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                @Nullable String message,
                @Nullable Object @Nullable [] arguments,
                @Nullable Throwable throwable) {
            String line = MessageFormatter.basicArrayFormat(message, arguments);
            System.err.println("belay: " + UrlPasswords.mask(String.valueOf(line)));
        }
    }
}
