package io.belay.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells at the start what is missing, and what to do. */
final class SetupFailureAnalyzer extends AbstractFailureAnalyzer<SetupException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SetupException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
