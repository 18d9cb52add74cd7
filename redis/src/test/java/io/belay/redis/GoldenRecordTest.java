package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Records as another version has written them, put into a real Redis: it must show what is in them, and go on with them. Each
 * has its key's time to live, by which the record's clock goes on from where it stood, its bytes, and what it says.
 */
@ParameterizedClass
@EnumSource
class GoldenRecordTest {
    private static final long CLIENT = 7;
    private static final long LEASE = 30_000_000;
    private static final Path RECORDS = Path.of("src", "test", "resources", "golden");
    private static final byte[] KEY = "belay:x".getBytes(StandardCharsets.US_ASCII);

    private static RedisServer server;
    private static RedisClient client;
    private static RedisCommands<byte[], byte[]> commands;
    private static Store store;

    GoldenRecordTest(Version version) {}

    @BeforeParameterizedClassInvocation
    static void start(Version version) throws Exception {
        server = RedisServer.start(version);
        store = Redis.at(server.url() + "?timeout=1m").open(CLIENT, new RecordingListener());
        client = RedisClient.create(server.url());
        commands = client.connect(ByteArrayCodec.INSTANCE).sync();
    }

    @AfterParameterizedClassInvocation
    static void end() {
        client.shutdown();
        store.close();
        server.close();
    }

    private static Answer send(Request request) {
        return store.send(request).toCompletableFuture().join();
    }

    private static ClaimId id(int number) {
        return ClaimId.of(CLIENT, number);
    }

    private static Request.Enter enter(int number, int capacity, int weight, long hold, boolean sticky) {
        Owner owner = Owner.of("client-" + number, "host", 4_711, "\u00fc");
        return Request.Enter.of(
                "x",
                id(number),
                ClaimSpec.of(capacity, weight, LEASE).withFixedLease(hold).withSticky(sticky),
                number,
                owner);
    }

    /** Does with real requests what leads to such a record. */
    private static void make(String name) {
        switch (name) {
            case "left" -> {
                send(enter(1, Resource.WHOLE, Resource.WHOLE, 0, false));
                send(Request.Leave.of("x", id(1), false));
            }
            case "held" -> send(enter(1, Resource.WHOLE, Resource.WHOLE, 0, false));
            case "queue" -> {
                send(enter(1, Resource.WHOLE, Resource.WHOLE, 0, true));
                send(enter(2, Resource.WHOLE, 1, 0, false));
                send(enter(3, Resource.WHOLE, 1, 5_000_000, false));
                send(Request.Leave.of("x", id(4), true));
            }
            case "shown" -> {
                send(enter(1, Resource.WHOLE, Resource.WHOLE, 0, true));
                long sequence = send(enter(2, Resource.WHOLE, 1, 0, false)).sequence();
                Owner next = Owner.of("client", "host", 4_711, "worker")
                        .withThread("worker", "order \u00fc")
                        .withSince(1_795_343_252_000_000L)
                        .withLease(LEASE);
                send(Request.Describe.of("x", id(2), sequence, next));
            }
            case "resized" -> send(Request.Resize.of("x", 8));
            case "permits" -> {
                send(enter(1, 8, 5, 0, false));
                send(enter(2, 8, 4, 0, false));
            }
            default -> throw new IllegalArgumentException(name);
        }
    }

    /** Returns the lines of a golden record; with {@code -Dbelay.golden=write} one that is missing is written first. */
    private static List<String> kept(String name) throws IOException {
        Path file = RECORDS.resolve("redis-" + name + ".txt");
        if ("write".equals(System.getProperty("belay.golden")) && Files.notExists(file)) {
            Files.createDirectories(RECORDS);
            Files.write(file, record(name));
        }
        return Files.readAllLines(file);
    }

    private static List<String> record(String name) {
        commands.del(KEY);
        make(name);
        List<String> lines = new ArrayList<>();
        lines.add(Long.toString(commands.pttl(KEY)));
        lines.add(HexFormat.of().formatHex(commands.get(KEY)));
        lines.addAll(told());
        return lines;
    }

    /** Returns what the store says of the resource, a line for each claim. */
    private static List<String> told() {
        Resource resource =
                store.inspect("x").toCompletableFuture().join().resource().orElseThrow();
        List<String> lines = new ArrayList<>();
        lines.add("capacity " + resource.capacity() + ", resized " + resource.resized() + ", granted "
                + resource.granted());
        resource.claims().forEach(claim -> lines.add(told(claim)));
        return lines;
    }

    /** Returns what a claim says, in the words of the records that are kept, whatever the code calls it by now. */
    private static String told(Claim claim) {
        Owner owner = claim.owner();
        return "Claim[id=" + claim.id() + ", weight=" + claim.weight() + ", sequence=" + claim.sequence()
                + ", deadline="
                + claim.deadline() + ", hold=" + claim.fixedLease() + ", pending=" + claim.pending() + ", reweights="
                + claim.reweights() + ", entered=" + claim.entered() + ", localWaiters=" + claim.localWaiters()
                + ", sticky=" + claim.sticky() + ", owner=" + owner
                + (owner.since() == 0 && owner.lease() == 0
                        ? ""
                        : ", since=" + owner.since() + ", lease=" + owner.lease())
                + "]";
    }

    @ParameterizedTest
    @ValueSource(strings = {"left", "held", "queue", "permits", "resized", "shown"})
    void aRecordIsReadAsEver(String name) throws Exception {
        List<String> kept = kept(name);
        commands.del(KEY);
        long left = Long.parseLong(kept.get(0)); // -1 for a record that stays for good
        commands.set(KEY, HexFormat.of().parseHex(kept.get(1)), left < 0 ? new SetArgs() : SetArgs.Builder.px(left));
        assertThat(told()).isEqualTo(kept.subList(2, kept.size()));
        boolean held = kept.size() > 3;
        assertThat(send(Request.Leave.of("x", id(1), false)).state())
                .isEqualTo(held ? Answer.State.LEFT : Answer.State.GONE);
        Answer next =
                send(enter(9, name.equals("permits") || name.equals("resized") ? 8 : Resource.WHOLE, 1, 0, false));
        assertThat(next.state()).isEqualTo(Answer.State.GRANTED);
        assertThat(next.sequence()).isPositive();
    }
}
