package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.Fuzz;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.RandomStates;
import io.belay.spi.Resource;
import io.belay.spi.Sink;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random damage to the files of a directory, between and during the operations of its clients: no two ever hold a lock at
 * once, and whoever cannot go on is told so in one line. A round that fails names its seed; {@code -Dbelay.seed} gives it
 * again, and {@code -Dbelay.fuzz=100} runs a hundred times as many.
 */
class DamageFuzzTest {
    private static final HostIdentity HOST = new HostIdentity("boot", "clock", "aa");
    private static final String NAME = "stock";

    @TempDir
    private Path temp;

    private final FakeClock clock = new FakeClock();
    private int directories;

    private Client open(Path directory) {
        return Client.open(directory, HOST, clock.clock());
    }

    private static void assertClear(StoreException e, Path directory) {
        assertThat(e.getMessage()).contains(directory.toString()).doesNotContain("Exception", "null");
        assertThat(e.getMessage().chars().filter(Character::isISOControl)).isEmpty();
        assertThat(e.isTemporary()).isFalse();
    }

    /** Whether a client gets the lock; it does not where it is told that the data is damaged. */
    private static boolean gets(Client client, Path directory) {
        try {
            return client.enter(NAME, client.id()).state() == Answer.State.GRANTED;
        } catch (StoreException e) {
            assertClear(e, directory);
            return false;
        }
    }

    private static boolean holds(Client client, ClaimId id, Path directory) {
        try {
            return client.enter(NAME, id).state() == Answer.State.GRANTED;
        } catch (StoreException e) {
            assertClear(e, directory);
            return false;
        }
    }

    /** The state of the lock, and everything that leads to it, and the rest of the files. */
    private static void damage(Random random, Path directory, Client holder) throws IOException {
        Path boot = directory.resolve("boot-" + HOST.bootName());
        boolean rootTable = random.nextBoolean();
        Path file = rootTable ? boot.resolve(RootTable.FILE) : Segment.file(boot, holder.number, 0);
        int bucket = ResourceNames.bucket(ResourceNames.bytes(NAME));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                int at = switch (random.nextInt(4)) {
                    case 0 -> random.nextInt(200);
                    case 1, 2 -> rootTable ? RootTable.headAt(bucket) : Area.entryAt(bucket, random.nextInt(2));
                    default -> random.nextInt((int) channel.size() - 64);
                };
                ByteBuffer bytes = ByteBuffer.allocate(random.nextInt(4) == 0 ? 64 : 8);
                channel.read(bytes, at);
                byte[] changed = switch (random.nextInt(4)) {
                    case 0 -> new byte[bytes.capacity()];
                    case 1 -> {
                        byte[] ones = new byte[bytes.capacity()];
                        Arrays.fill(ones, (byte) 0xff);
                        yield ones;
                    }
                    default -> Arrays.copyOf(Fuzz.bytes(random, bytes.array()), bytes.capacity());
                };
                channel.write(ByteBuffer.wrap(changed), at);
            }
        }
    }

    @Test
    void noTwoHoldAtOnce() {
        Fuzz.rounds(40, random -> {
            Path directory = temp.resolve("d" + directories++);
            try (Client holder = open(directory);
                    Client other = open(directory)) {
                ClaimId held = holder.id();
                assertThat(holder.enter(NAME, held).state()).isEqualTo(Answer.State.GRANTED);
                assertThat(other.inspect(NAME).resource()).isPresent();
                damage(random, directory, holder);
                boolean got = gets(other, directory);
                try (Client third = open(directory)) {
                    got |= gets(third, directory);
                } catch (StoreException e) {
                    assertClear(e, directory);
                }
                // Its lease has not ended, and it believes that it holds until somebody tells it otherwise.
                assertThat(got).as("another got the lock").isFalse();
                holds(holder, held, directory);
                for (Client client : List.of(holder, other)) {
                    client.store.regularly(session -> session.reaper.sweep());
                }
            }
        });
    }

    /** What a process finds that comes to a directory after the last one has left. */
    @Test
    void filesThatAreCutOffOrOfOthersAreRefused() {
        Fuzz.rounds(20, random -> {
            Path directory = temp.resolve("e" + directories++);
            Client before = open(directory);
            before.enter(NAME, before.id());
            before.close();
            try (Stream<Path> all = Files.walk(directory)) {
                List<Path> files = all.filter(Files::isRegularFile).sorted().toList();
                Path file = files.get(random.nextInt(files.size()));
                switch (random.nextInt(5)) {
                    case 0 -> Files.write(file, new byte[0]);
                    case 1 -> Files.delete(file);
                    case 2 -> {
                        Files.delete(file);
                        Files.createDirectory(file);
                    }
                    case 3 -> {
                        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                            channel.truncate(random.nextInt((int) channel.size()));
                        }
                    }
                    default -> {
                        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                            channel.write(ByteBuffer.allocate(1), (1L << 32) + random.nextInt(100));
                        }
                    }
                }
            }
            try (Client after = open(directory)) {
                gets(after, directory);
            } catch (StoreException e) {
                assertClear(e, directory);
            }
        });
    }

    @Test
    void documents() {
        Sink out = new Sink();
        Document made = new Document();
        made.put(-1, ResourceNames.bytes(NAME), new RandomStates(3).resource());
        made.write(out, 7, 99, 5);
        byte[] valid = out.toByteArray();
        Fuzz.rounds(5_000, random -> {
            byte[] bytes = Fuzz.bytes(random, valid);
            Document document = new Document();
            try {
                document.copy(ByteBuffer.wrap(bytes), 0, bytes.length);
                document.parse(bytes.length, 7, 99, 5);
                assertThat(bytes).isEqualTo(valid);
            } catch (Damage e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        });
    }

    /** A rubbish frame ends its connection, and the store goes on. */
    @Test
    void frames() throws IOException {
        Path directory = temp.resolve("f");
        Push push = Push.granted(NAME, ClaimId.of(1, 2), 3, 4, 5);
        List<byte[]> valid = List.of(
                Frame.hello(77).array(), Frame.push(push).array(), new byte[] {0x7f, -1, -1, -1}, new byte[] {0, 0, 0, 0
                });
        try (Client client = open(directory)) {
            Path socket = Endpoint.file(directory.resolve("boot-" + HOST.bootName()), client.number);
            Fuzz.rounds(300, random -> {
                try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                    channel.connect(UnixDomainSocketAddress.of(socket));
                    for (int i = 0; i < 3; i++) {
                        channel.write(ByteBuffer.wrap(Fuzz.bytes(random, valid.get(random.nextInt(4)))));
                    }
                } catch (IOException e) {
                    assertThat(e.getMessage())
                            .as("the store closed the connection")
                            .contains("pipe");
                }
            });
            assertThat(client.pushes).allMatch(told -> told.id().client() == client.number);
            ClaimId waiting = client.id();
            ClaimId first = client.id();
            client.enter(NAME, first);
            assertThat(client.enter(NAME, waiting, Resource.WHOLE, Resource.WHOLE)
                            .state())
                    .isEqualTo(Answer.State.WAITING);
            client.leave(NAME, first);
            await().until(() -> client.wasGranted(waiting));
        }
    }
}
