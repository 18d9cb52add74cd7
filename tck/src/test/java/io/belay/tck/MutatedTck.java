package io.belay.tck;

import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The suite on a store with a mistake, which the configuration of the run names. Only {@link MutantsTest} runs it. */
@ExtendWith(MutatedTck.Resolver.class)
class MutatedTck extends StoreTck {
    static final String PARAMETER = "mutant";

    /** For what should happen at once and does not: longer than a grant waits to be picked up. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Mutant mutant;

    MutatedTck(Mutant mutant) {
        this.mutant = mutant;
    }

    @Override
    protected StoreSpec open() {
        return new SimulatedServer(mutant.fault, PATIENCE);
    }

    static final class Resolver implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Mutant.class;
        }

        @Override
        public Mutant resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return Mutant.valueOf(context.getConfigurationParameter(PARAMETER).orElseThrow());
        }
    }
}
