package io.belay.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.CommandProxy;
import io.belay.servers.LuaScripts;
import io.belay.servers.RedisServer;
import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** What a store must do, by scripts under Lua 5.4, where numbers are floats: as Dragonfly runs them. */
@Tag("single")
@Tag("long")
@Tag("variant")
class LuaTckTest extends StoreTck {
    @BeforeAll
    static void installed() {
        assumeTrue(LuaScripts.isInstalled(), "there is no program lua5.4");
    }

    @Override
    protected StoreSpec open() throws IOException, InterruptedException {
        RedisServer redis = RedisServer.start(RedisServer.Version.V7_0);
        LuaScripts scripts = new LuaScripts(redis);
        CommandProxy proxy = CommandProxy.to(redis, scripts);
        Races.spare(redis, proxy.url());
        return new StoreSpec() {
            @Override
            public String url() {
                return proxy.url();
            }

            @Override
            public boolean damage(String resource) throws IOException {
                redis.command("SET", "belay:" + resource, "rubbish");
                return true;
            }

            @Override
            public void close() {
                proxy.close();
                scripts.close();
                redis.close();
            }
        };
    }
}
