package io.belay.tck;

import java.util.UUID;

class MemoryCoordinationTest extends CoordinationContract {
    private final String url = "memory:" + UUID.randomUUID();

    @Override
    protected String url() {
        return url;
    }
}
