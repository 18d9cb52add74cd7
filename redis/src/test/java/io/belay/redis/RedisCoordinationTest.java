package io.belay.redis;

import io.belay.tck.CoordinationContract;
import io.belay.servers.RedisServer;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class RedisCoordinationTest extends CoordinationContract {
    private final RedisServer redis;

    RedisCoordinationTest(RedisServer.Version version) throws IOException, InterruptedException {
        redis = RedisServer.start(version);
    }

    @Override
    protected String url() {
        return redis.url();
    }

    @Override
    protected void stop() {
        redis.close();
    }
}
