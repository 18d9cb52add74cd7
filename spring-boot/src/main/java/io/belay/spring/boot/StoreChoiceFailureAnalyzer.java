package io.belay.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells at the start which stores there are, and how to choose one. */
final class StoreChoiceFailureAnalyzer extends AbstractFailureAnalyzer<StoreChoiceException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StoreChoiceException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
