package io.belay.tck;

import java.io.IOException;
import org.junit.jupiter.api.Tag;

/** The whole suite on nodes without a mistake. */
@Tag("selftest")
@Tag("long")
class SampleNodesTckTest extends StoreTck {
    @Override
    protected StoreSpec open() throws IOException {
        return new SampleSpec(SampleStoreProvider.NODES, Flaw.NONE);
    }
}
