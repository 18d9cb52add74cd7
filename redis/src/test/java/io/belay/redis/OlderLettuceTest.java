package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.servers.ChildJvm;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.lettuce.core.RedisClient;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications that have an older Lettuce than this module is built with, as their framework names one. */
@Tag("processes")
class OlderLettuceTest {
    @ParameterizedTest
    @ValueSource(strings = {"6.5.5.RELEASE", "6.8.1.RELEASE"})
    void aLockIsHandedToAClientThatHasOne(String version) throws Exception {
        try (RedisServer redis = RedisServer.start(Version.V7_0);
                Belay here = Belay.connect(redis.url());
                Lease held = here.lock("x").acquire();
                ChildJvm child = ChildJvm.startBy(List.of(), classPath(version), Client.class, redis.url())) {
            assertThat(child.line()).startsWith(version);
            held.release();
            assertThat(Long.parseLong(child.line())).isGreaterThan(held.token());
        }
    }

    private static String classPath(String version) throws Exception {
        String older = "/older/lettuce-core-" + version + ".jar";
        String path = Path.of(Objects.requireNonNull(OlderLettuceTest.class.getResource(older), older)
                        .toURI())
                .toString();
        return Arrays.stream(ChildJvm.classPath(OlderLettuceTest.class).split(File.pathSeparator))
                .map(entry -> entry.contains("lettuce-core-") ? path : entry)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Says which Lettuce it has, and the token with which it was given the lock. */
    static final class Client {
        private Client() {}

        public static void main(String[] args) throws Exception {
            System.out.println(RedisClient.class.getPackage().getImplementationVersion());
            try (Belay belay = Belay.connect(args[0]);
                    Lease lease = belay.lock("x").acquire()) {
                System.out.println(lease.token());
            }
        }
    }
}
