package io.belay.tck;

import java.io.IOException;

/** The whole suite on nodes without a mistake. */
class SampleNodesTckTest extends StoreTck {
    @Override
    protected StoreSpec open() throws IOException {
        return new SampleSpec(SampleStoreProvider.NODES, Flaw.NONE);
    }
}
