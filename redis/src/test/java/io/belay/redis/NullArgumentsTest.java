package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.fence.FencingToken;
import io.belay.servers.NullProbe;
import io.belay.spi.Store;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisScriptingCommands;
import io.lettuce.core.resource.ClientResources;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Null where nothing says that it may be is refused at once, by its name. */
class NullArgumentsTest {
    @Test
    void allThatIsPublicRefusesNullByItsName() throws Exception {
        @SuppressWarnings("unchecked") // a stub takes any keys
        RedisFence fence = RedisFence.of(
                (RedisScriptingCommands<String, String>) Proxy.newProxyInstance(
                        RedisScriptingCommands.class.getClassLoader(),
                        new Class<?>[] {RedisScriptingCommands.class},
                        (proxy, method, arguments) -> method.getReturnType() == String.class ? "" : 1L),
                "x");
        NullProbe probe = new NullProbe(
                Set.of(),
                List.of(
                        "x",
                        Duration.ofSeconds(1),
                        Path.of("x"),
                        NullProbe.stub(Store.Listener.class),
                        NullProbe.stub(RedisCredentialsProvider.class),
                        NullProbe.stub(ClientResources.class),
                        NullProbe.stub(RedisScriptingCommands.class),
                        ScriptOutputType.STATUS,
                        List.of("x"),
                        new String[0],
                        fence,
                        fence.raiseTo(List.of(FencingToken.of("x", 1))),
                        Redis.at("redis://localhost"),
                        new RedisStoreProvider()));
        assertThat(probe.complaints(Redis.class)).isEmpty();
    }
}
