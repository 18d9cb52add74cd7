package io.belay.spring.boot;

import io.belay.BelayException;
import io.belay.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells at the start what is wrong with the store, where the application may not start without it. */
final class RefusedStoreFailureAnalyzer extends AbstractFailureAnalyzer<BelayException> {
    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BelayException cause) {
        String description = "The store of the locks cannot be used: " + cause.getMessage();
        String action = cause instanceof StoreUnavailableException
                ? "Start the store, or set belay.connect=later to start the application without it."
                : "Correct what the message names.";
        return new FailureAnalysis(description, action, cause);
    }
}
