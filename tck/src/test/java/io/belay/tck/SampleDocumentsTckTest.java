package io.belay.tck;

import java.io.IOException;

/** The whole suite on documents without a mistake. */
class SampleDocumentsTckTest extends StoreTck {
    @Override
    protected StoreSpec open() throws IOException {
        return new SampleSpec(SampleStoreProvider.DOCUMENTS, Flaw.NONE);
    }
}
