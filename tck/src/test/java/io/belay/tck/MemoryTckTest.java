package io.belay.tck;

import java.util.UUID;

class MemoryTckTest extends StoreTck {
    @Override
    protected StoreSpec open() {
        String url = "memory:" + UUID.randomUUID();
        return new StoreSpec() {
            @Override
            public String url() {
                return url;
            }

            @Override
            public boolean isShared() {
                return false;
            }
        };
    }
}
