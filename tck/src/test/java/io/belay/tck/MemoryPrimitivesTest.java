package io.belay.tck;

import java.util.UUID;

class MemoryPrimitivesTest extends PrimitivesContract {
    private final String url = "memory:" + UUID.randomUUID();

    @Override
    protected String url() {
        return url;
    }
}
