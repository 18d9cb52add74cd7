package io.belay.redis;

import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServerBuilder;
import io.belay.spi.Claim;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The servers of a quorum, which are as if they had run for long. */
final class QuorumServers implements AutoCloseable {
    private static final byte[] BIRTH = "belay:\u0001birth".getBytes(StandardCharsets.US_ASCII);
    private static final int LAST = 9;

    private final List<RedisServer> servers = new ArrayList<>();
    private final String options;

    /** {@code options} as they stand behind the # of a URL. */
    QuorumServers(int count, String options) throws IOException, InterruptedException {
        this(count, options, RedisServer.builder(RedisServer.Version.V7_0));
    }

    /** Does the same with servers of that kind. */
    QuorumServers(int count, String options, RedisServerBuilder kind) throws IOException, InterruptedException {
        this.options = options;
        for (int i = 0; i < count; i++) {
            servers.add(kind.start());
        }
        // Whoever connects needs a majority only, and waits for no other.
        await().until(() -> {
            Belay.connect(url()).close();
            return servers.stream().allMatch(QuorumServers::isBorn);
        });
        for (RedisServer server : servers) {
            age(server, Duration.ofDays(1));
        }
    }

    String url() {
        return servers.stream().map(RedisServer::url).collect(Collectors.joining(",", "quorum:", "#" + options));
    }

    RedisServer server(int index) {
        return servers.get(index);
    }

    List<RedisServer> all() {
        return List.copyOf(servers);
    }

    private static boolean isBorn(RedisServer server) {
        return with(server, commands -> commands.exists(BIRTH) == 1);
    }

    /** Puts the instant back from which on the server remembers everything. */
    private static void age(RedisServer server, Duration by) {
        with(server, commands -> {
            ByteBuffer record = ByteBuffer.wrap(commands.get(BIRTH));
            long last = record.getLong(LAST);
            for (int at = LAST; at + Long.BYTES <= record.limit(); at++) {
                long value = record.getLong(at);
                if (value == last || value == last - Claim.STICKY_SEQUENCES + 1) {
                    record.putLong(at, value - by.toNanos() / 1000);
                }
            }
            return commands.set(BIRTH, record.array(), SetArgs.Builder.keepttl());
        });
    }

    private static <T> T with(RedisServer server, Function<RedisCommands<byte[], byte[]>, T> work) {
        RedisClient client = RedisClient.create(server.url());
        try {
            return work.apply(client.connect(ByteArrayCodec.INSTANCE).sync());
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    }

    @Override
    public void close() {
        servers.forEach(RedisServer::close);
    }
}
