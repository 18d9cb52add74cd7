package io.belay.redis;

import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.io.IOException;
import org.junit.jupiter.api.Tag;

/** Locks on a majority of three servers. */
@Tag("topology")
@Tag("client-elsewhere")
@Tag("costly-elsewhere")
class QuorumTckTest extends StoreTck {
    @Override
    protected StoreSpec open() throws IOException, InterruptedException {
        return new QuorumSpec();
    }
}
