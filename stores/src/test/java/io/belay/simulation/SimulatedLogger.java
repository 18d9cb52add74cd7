package io.belay.simulation;

import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** A logger of a simulated process: it writes to the story, and may block or throw. */
final class SimulatedLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1;

    private SimulatedLogger(String name) {
        this.name = name;
    }

    static SimulatedLogger of(String name) {
        return new SimulatedLogger(name.substring(name.lastIndexOf('.') + 1));
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String message,
            Object @Nullable [] arguments,
            @Nullable Throwable throwable) {
        String text = MessageFormatter.basicArrayFormat(message, arguments);
        Hooks.logged(level + " " + name, throwable == null ? text : text + ": " + throwable);
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
