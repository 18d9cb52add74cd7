package io.belay.support;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** A logger of slf4j that keeps what it is given, and an appender that can be bad. */
class PlantedLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1;

    /** Is given each line before it is kept. */
    interface Appender {
        void append(String line) throws InterruptedException;
    }

    final transient List<String> lines = new CopyOnWriteArrayList<>();
    final transient List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final transient Appender appender;
    volatile boolean debug;

    PlantedLogger(Appender appender) {
        this.appender = appender;
    }

    /** The same one for all names. */
    Logger named(String any) {
        return this;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level, Marker marker, String format, Object[] args, @Nullable Throwable error) {
        String line = level + " " + MessageFormatter.basicArrayFormat(format, args);
        try {
            appender.append(line);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // as good appenders do
        }
        lines.add(line);
        if (error != null) {
            errors.add(error);
        }
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    public boolean isDebugEnabled() {
        return debug;
    }

    @Override
    public boolean isTraceEnabled() {
        return false;
    }

    @Override
    public boolean isInfoEnabled() {
        return true;
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }
}
