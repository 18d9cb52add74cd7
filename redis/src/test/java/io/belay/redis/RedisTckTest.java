package io.belay.redis;

import io.belay.servers.RedisServer;
import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("single")
@ParameterizedClass
@EnumSource
class RedisTckTest extends StoreTck {
    private final RedisServer.Version version;

    RedisTckTest(RedisServer.Version version) {
        this.version = version;
    }

    @Override
    protected StoreSpec open() throws IOException, InterruptedException {
        return new RedisSpec(version);
    }
}
