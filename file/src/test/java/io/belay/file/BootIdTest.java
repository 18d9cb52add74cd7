package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.ChildJvm;
import io.belay.servers.Pace;
import io.belay.spi.Answer;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that see different boot ids, as those of a host and of its LXC containers do, and name one directory. */
@Tag("processes")
class BootIdTest {
    private static final HostIdentity HERE = new HostIdentity("host", "", "");
    private static final HostIdentity CONTAINER = new HostIdentity("container", "", "");
    private static final int ROUNDS = 300;

    @TempDir
    Path directory;

    @TempDir
    Path beside;

    private final List<ChildJvm> children = new ArrayList<>();
    private final FakeClock clock = new FakeClock();

    @AfterEach
    void end() {
        children.forEach(ChildJvm::close);
    }

    private ChildJvm start(String id) throws IOException, InterruptedException {
        assumeTrue(BootChild.canGiveBootIds(), "only root may give a process a boot id of its own");
        Path shared = beside.resolve("inside");
        if (!Files.exists(shared)) {
            Files.write(shared, new byte[8]);
        }
        ChildJvm child = BootChild.startWithBootId(beside.resolve(id), id, directory, shared);
        children.add(child);
        return child;
    }

    private Client open(HostIdentity host) {
        return Client.open(directory, host, clock.clock());
    }

    private void refused(HostIdentity host) {
        assertThatThrownBy(() -> open(host).close())
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll(directory.toString(), "in use by processes of another boot id", "of its own")
                .hasMessageNotContaining("\n");
    }

    @Test
    void aDirectoryInUseIsRefusedToAnotherBootAndNothingIsDeleted() {
        try (Client a = open(HERE)) {
            a.enter("x", a.id());
            refused(CONTAINER);
            try (Client b = open(HERE)) {
                assertThat(b.enter("x", b.id()).state()).isEqualTo(Answer.State.WAITING);
            }
        }
        try (Client b = open(CONTAINER)) {
            assertThat(b.enter("x", b.id()).state()).isEqualTo(Answer.State.GRANTED);
            refused(HERE);
        }
        open(HERE).close();
    }

    @Test
    void aSocketThatSomebodyDeletedIsWaitedFor() throws Exception {
        try (Client a = open(HERE)) {
            Path socket = Endpoint.file(Boot.path(directory, HERE), a.number);
            Files.delete(socket);
            CompletableFuture<Void> other =
                    CompletableFuture.runAsync(() -> open(CONTAINER).close());
            await().until(() -> System.getProperties().stringPropertyNames().stream()
                    .anyMatch(name -> name.startsWith("io.belay.file.entrance")));
            a.store.regularly(ClientSession::everySecond);
            assertThatThrownBy(() -> other.get(Pace.seconds(), TimeUnit.SECONDS))
                    .hasMessageContaining("in use by processes of another boot id");
        }
    }

    /** The time between the making of an area and its first socket, when nobody can be seen there. */
    @Test
    void whoeverComesWhileAnAreaIsMadeWaitsForItsSocket() throws Exception {
        AtomicReference<CompletableFuture<Void>> other = new AtomicReference<>();
        Boot.Clock meanwhile = new Boot.Clock(
                () -> {
                    if (other.get() == null && Boot.exists(directory, HERE)) {
                        other.set(
                                CompletableFuture.runAsync(() -> open(CONTAINER).close()));
                        settle(other.get());
                    }
                    return clock.clock().nanos().getAsLong();
                },
                clock.clock().wallMicros());
        try (Client a = Client.open(directory, HERE, meanwhile)) {
            assertThatThrownBy(() -> other.get().get(Pace.seconds(), TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("in use by processes of another boot id");
            assertThat(a.enter("x", a.id()).state()).isEqualTo(Answer.State.GRANTED);
        }
    }

    /** Gives it the time to do harm if nothing keeps it from that. */
    private static void settle(CompletableFuture<Void> other) {
        try {
            other.get(300, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | InterruptedException | TimeoutException e) {
            // It waits, or has failed: the test sees which.
        }
    }

    @Test
    void processesOfTwoBootsNeverShareADirectory() throws Exception {
        ChildJvm host = start("host");
        ChildJvm container = start("container");
        assertThat(host.ask("open")).isEqualTo("GRANTED");
        assertThat(container.ask("open")).contains("refused: ", "in use by processes of another boot id");
        host.signal("STOP");
        assertThat(container.ask("open")).contains("in use by processes of another boot id");
        host.kill();
        assertThat(container.ask("open")).isEqualTo("GRANTED");
        ChildJvm again = start("host");
        assertThat(again.ask("open")).contains("in use by processes of another boot id");
        assertThat(container.ask("close")).isEqualTo("closed");
        assertThat(again.ask("open")).isEqualTo("GRANTED");
    }

    @Test
    void twoBootsThatStartAtOnceNeverHoldBoth() throws Exception {
        List<ChildJvm> racers = List.of(start("host"), start("container"), start("host"), start("container"));
        int[] held = new int[racers.size()];
        for (int i = 0; i < ROUNDS; i++) {
            for (ChildJvm racer : racers) {
                racer.process.outputWriter().write("round\n");
                racer.process.outputWriter().flush();
            }
            int opened = 0;
            for (int k = 0; k < held.length; k++) {
                String answer = racers.get(k).line();
                assertThat(answer).matches("held|waits|refused: .* is in use by processes of another boot id .*");
                held[k] += answer.equals("held") ? 1 : 0;
                opened += answer.startsWith("refused") ? 0 : 1;
            }
            assertThat(opened).as("opened in round " + i).isPositive();
        }
        assertThat(held[0] + held[2]).isPositive();
        assertThat(held[1] + held[3]).isPositive();
    }
}
