package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.ChildJvm;
import io.belay.servers.Pace;
import io.belay.servers.Proof;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are stopped and killed at any instruction. */
@Tag("processes")
@Tag("long")
class ProcessTest {
    private static final int STOPS = Proof.times(60, 200);
    /** Long enough for a busy machine to reap a client meanwhile, in microseconds. */
    private static final long FIXED = 5_000_000;

    @TempDir
    Path directory;

    @TempDir
    Path beside;

    private final List<ChildJvm> children = new ArrayList<>();
    private final Random random = new Random(5);

    @AfterEach
    void end() {
        children.forEach(ChildJvm::close);
    }

    private ChildJvm start(String... arguments) throws IOException {
        ChildJvm child = Child.start(arguments);
        children.add(child);
        return child;
    }

    @Test
    void aStoppedProcessStopsNobodyAndAKilledOneLosesNothing() throws Exception {
        Map<ChildJvm, Long> counting = new HashMap<>();
        try (Client observer = Client.open(directory)) {
            for (int i = 0; i < 3; i++) {
                add(counting);
            }
            for (int i = 1; i <= STOPS; i++) {
                ChildJvm victim = children.get(random.nextInt(children.size()));
                LockSupport.parkNanos(random.nextInt(1_000_000));
                victim.signal("STOP");
                await().pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(1))
                        .until(victim::isStopped);
                awaitProgress(observer, counting, victim);
                victim.signal("CONT");
                if (i % 60 == 0) {
                    kill(observer, counting, children.get(random.nextInt(children.size())));
                    add(counting);
                }
            }
            for (ChildJvm child : children) {
                assertThat(child.finish()).isEqualTo("counted");
            }
        }
    }

    private void add(Map<ChildJvm, Long> counting) throws IOException {
        ChildJvm child = start("count", directory.toString());
        counting.put(child, Long.parseLong(child.line()));
    }

    private void kill(Client observer, Map<ChildJvm, Long> counting, ChildJvm victim) {
        long client = counting.remove(victim);
        children.remove(victim);
        victim.close();
        await().until(() -> !counters(observer).containsKey(client));
    }

    /** Waits until all but one have gone on by many changes. */
    private static void awaitProgress(Client observer, Map<ChildJvm, Long> counting, ChildJvm stopped) {
        Map<Long, Integer> before = counters(observer);
        long end = System.nanoTime() + Pace.patience().toNanos();
        for (Map.Entry<ChildJvm, Long> entry : counting.entrySet()) {
            long client = entry.getValue();
            while (entry.getKey() != stopped && counters(observer).get(client) < before.get(client) + 100) {
                assertThat(System.nanoTime()).as("somebody stands still").isLessThan(end);
                LockSupport.parkNanos(100_000);
            }
        }
    }

    private static Map<Long, Integer> counters(Client observer) {
        Map<Long, Integer> counters = new HashMap<>();
        for (Claim claim :
                observer.inspect("counters").resource().orElse(Resource.UNUSED).claims()) {
            counters.put(claim.id().client(), claim.reweights());
        }
        return counters;
    }

    @Test
    void oneHolderAtATimeAndNoUpdateIsLost() throws Exception {
        Path file = incrementing();
        for (int i = 0; i < 50; i++) {
            stopForAWhile(30);
        }
        long sum = 0;
        for (ChildJvm child : children) {
            sum += Long.parseLong(child.finish());
        }
        assertThat(ByteBuffer.wrap(Files.readAllBytes(file))
                        .order(ByteOrder.nativeOrder())
                        .getLong(0))
                .isEqualTo(sum)
                .isGreaterThan(100);
    }

    @Test
    void oneHolderAtATimeAlsoWhereProcessesAreKilled() throws Exception {
        Path file = incrementing();
        for (int i = 0; i < 12; i++) {
            stopForAWhile(10);
            children.remove(random.nextInt(3)).close();
            ChildJvm next = start("increment", directory.toString(), file.toString());
            assertThat(next.line()).isEqualTo("ready");
        }
        for (ChildJvm child : children) {
            assertThat(Long.parseLong(child.finish())).isPositive();
        }
    }

    private Path incrementing() throws IOException {
        Path file = beside.resolve("number");
        Files.write(file, new byte[16]);
        for (int i = 0; i < 3; i++) {
            start("increment", directory.toString(), file.toString());
        }
        for (ChildJvm child : children) {
            assertThat(child.line()).isEqualTo("ready");
        }
        return file;
    }

    private void stopForAWhile(int millis) throws IOException, InterruptedException {
        ChildJvm victim = children.get(random.nextInt(3));
        LockSupport.parkNanos(random.nextInt(5_000_000));
        victim.signal("STOP");
        LockSupport.parkNanos(random.nextInt(millis * 1_000_000));
        victim.signal("CONT");
    }

    @Test
    void theNextIsGrantedSoonAfterTheHolderWasKilled() throws Exception {
        List<Long> millis = new ArrayList<>();
        try (Client waiter = Client.open(directory)) {
            for (int i = 0; i < 3; i++) {
                ChildJvm holder = start("hold", directory.toString(), "x");
                assertThat(holder.line()).isEqualTo("GRANTED");
                ClaimId id = waiter.id();
                assertThat(waiter.enter("x", id).state()).isEqualTo(Answer.State.WAITING);
                long killed = System.nanoTime();
                holder.close();
                await().pollInterval(Duration.ofMillis(2)).until(() -> waiter.wasGranted(id));
                millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed));
                waiter.leave("x", id);
            }
        }
        // Long before the lease of thirty seconds.
        assertThat(millis).allMatch(took -> took < 15_000);
    }

    /** Nor does anybody ask for the dead client any more, or mistake the next client in its slot for it. */
    @Test
    void aFixedEndOutlivesItsProcess() throws Exception {
        try (Client waiter = Client.open(directory)) {
            ChildJvm holder = start("fix", directory.toString(), "x", Long.toString(FIXED));
            long dead = Long.parseLong(holder.line());
            long end = Long.parseLong(holder.line());
            ClaimId id = waiter.id();
            Answer answer = waiter.enter("x", id);
            assertThat(answer.state()).isEqualTo(Answer.State.WAITING);
            RootTable[] table = new RootTable[1];
            waiter.store.regularly(session -> table[0] = session.table.rootTable);
            int slot = table[0].slotOf(dead);
            holder.kill();
            await().until(() -> table[0].slotOf(dead) < 0);
            try (Client next = Client.open(directory);
                    ServerSocketChannel asked = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                assertThat(table[0].slotOf(next.number)).isEqualTo(slot);
                asked.bind(UnixDomainSocketAddress.of(Endpoint.file(area(), dead)));
                asked.configureBlocking(false);
                while (answer.state() != Answer.State.GRANTED) {
                    assertThat(answer.expiry()).isEqualTo(end);
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                    answer = waiter.send(Request.Renew.of("x", id, answer.sequence(), Client.LEASE, 0, false));
                }
                assertThat(answer.time()).isGreaterThanOrEqualTo(end);
                assertThat(asked.accept()).isNull();
            }
        }
    }

    private Path area() {
        return Boot.path(directory, HostIdentity.current());
    }

    @Test
    void aKilledWaiterDoesNotKeepItsPlace() throws Exception {
        try (Client client = Client.open(directory)) {
            ClaimId holder = client.id();
            client.enter("x", holder);
            ChildJvm waiter = start("hold", directory.toString(), "x");
            assertThat(waiter.line()).isEqualTo("WAITING");
            ClaimId last = client.id();
            assertThat(client.enter("x", last).place()).isEqualTo(2);
            waiter.close();
            waiter.process.waitFor();
            client.leave("x", holder);
            await().until(() -> client.wasGranted(last));
        }
    }
}
