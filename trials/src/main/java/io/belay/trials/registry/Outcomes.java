package io.belay.trials.registry;

import io.belay.trials.registry.adapter.Clients;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** The ends of the tests of a run, measured by what is declared. A method that is run several times fails if one of them does. */
final class Outcomes implements TestExecutionListener {
    /** The characters of a message that are told. */
    private static final int LONGEST = 400;

    private final SpringTest test;
    /** By method, why it failed; empty if it passed. */
    private final Map<String, String> ended = new TreeMap<>();

    Outcomes(SpringTest test) {
        this.test = test;
    }

    @Override
    public void executionFinished(TestIdentifier one, TestExecutionResult result) {
        String method = one.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName())
                .orElse("(the class)");
        boolean failed = result.getStatus() != Status.SUCCESSFUL;
        if (one.isTest() || failed) {
            String message = result.getThrowable()
                    .map(thrown -> thrown.toString().replaceAll("\\s+", " "))
                    .map(text -> text.substring(0, Math.min(text.length(), LONGEST)))
                    .orElse(failed ? String.valueOf(result.getStatus()) : "");
            ended.merge(method, message, (before, now) -> before.isEmpty() ? now : before);
        }
        if (one.isTest()) {
            Clients.closeAll();
        }
    }

    private String name(String method) {
        return test.title() + "." + method;
    }

    long passed() {
        return ended.entrySet().stream()
                .filter(one -> one.getValue().isEmpty()
                        && Difference.of(name(one.getKey())).isEmpty())
                .count();
    }

    /** Counts the tests that failed as is declared. */
    long declared() {
        return ended.entrySet().stream()
                .filter(one -> Difference.of(name(one.getKey()))
                        .filter(difference -> difference.explains(one.getValue()))
                        .isPresent())
                .count();
    }

    /** Tells what failed that is not declared, or is declared and passed, a line each. */
    List<String> failures() {
        List<String> lines = new ArrayList<>();
        ended.forEach((method, message) -> {
            Optional<Difference> difference = Difference.of(name(method));
            if (difference.isEmpty() && !message.isEmpty()) {
                lines.add("FAILED " + name(method) + ": " + message);
            } else if (difference.isPresent() && message.isEmpty()) {
                lines.add("FAILED " + name(method) + " passes, though it is declared not to: take it off the table ("
                        + difference.get() + ")");
            } else if (difference.isPresent() && !difference.get().explains(message)) {
                lines.add("FAILED " + name(method) + " fails otherwise than declared (" + difference.get() + "): "
                        + message);
            }
        });
        if (ended.isEmpty()) {
            lines.add("FAILED " + test.title() + ": there is no such test");
        }
        return lines;
    }
}
