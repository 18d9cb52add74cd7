package io.belay.redis;

import io.belay.servers.RedisServer;
import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.io.IOException;
import org.junit.jupiter.api.Tag;

/** The oldest version that Belay works with; its clock can be set. */
@Tag("single")
@Tag("long")
class OldRedisTckTest extends StoreTck {
    @Override
    protected StoreSpec open() throws IOException, InterruptedException {
        return new RedisSpec(RedisServer.Version.V6_2);
    }
}
