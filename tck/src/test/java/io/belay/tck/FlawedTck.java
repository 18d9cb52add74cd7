package io.belay.tck;

import java.io.IOException;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The suite on a service with a mistake, which the configuration of the run names. Only {@link FlawsTest} runs it. */
@ExtendWith(FlawedTck.Resolver.class)
class FlawedTck extends StoreTck {
    static final String SCHEME = "scheme";
    static final String FLAW = "flaw";

    private final String scheme;
    private final Flaw flaw;

    FlawedTck(String scheme, Flaw flaw) {
        this.scheme = scheme;
        this.flaw = flaw;
    }

    @Override
    protected StoreSpec open() throws IOException {
        return new SampleSpec(scheme, flaw);
    }

    static final class Resolver implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            Class<?> type = parameter.getParameter().getType();
            return type == String.class || type == Flaw.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            boolean flawed = parameter.getParameter().getType() == Flaw.class;
            String value =
                    context.getConfigurationParameter(flawed ? FLAW : SCHEME).orElseThrow();
            return flawed ? Flaw.valueOf(value) : value;
        }
    }
}
