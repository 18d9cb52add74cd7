package io.belay.tck;

import java.io.IOException;
import org.junit.jupiter.api.Tag;

/** The whole suite on documents without a mistake. */
@Tag("selftest")
@Tag("long")
class SampleDocumentsTckTest extends StoreTck {
    @Override
    protected StoreSpec open() throws IOException {
        return new SampleSpec(SampleStoreProvider.DOCUMENTS, Flaw.NONE);
    }
}
