package io.belay.redis;

import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a store must do, through the rules of each provider that lets clients do less than Redis does. */
@Tag("single")
@Tag("long")
@Tag("variant")
@ParameterizedClass
@MethodSource("rules")
class ProvidersTckTest extends StoreTck {
    private final Set<String> rules;

    ProvidersTckTest(Set<String> rules) {
        this.rules = rules;
    }

    static Stream<Set<String>> rules() {
        return Provider.ruleSets().filter(rules -> !rules.contains("eval"));
    }

    @Override
    protected StoreSpec open() throws IOException, InterruptedException {
        ProviderSpec provider = new ProviderSpec(rules);
        Races.spare(provider.redis(), provider.url());
        return provider;
    }
}
