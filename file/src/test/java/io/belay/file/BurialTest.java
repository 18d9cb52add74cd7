package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Request;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that die, leave something, or come back. */
class BurialTest {
    private static final HostIdentity HOST = new HostIdentity("boot", "", "");
    private static final long NUMBER = 7;

    @TempDir
    Path directory;

    private final FakeClock clock = new FakeClock();

    private Client open() {
        return Client.open(directory, HOST, clock.clock());
    }

    private Client openWithNumber() {
        return new Client(Client.opening(directory, HOST, clock.clock(), Segment::create), NUMBER);
    }

    @Test
    void whoeverWaitsBuriesADeadHolderAtOnce() {
        Client a = open();
        try (Client b = open();
                Client c = open()) {
            ClaimId next = b.id();
            a.enter("x", a.id());
            b.enter("x", next);
            c.enter("unrelated", c.id());
            a.store.regularly(session -> session.wire.close());
            await().until(() -> b.wasGranted(next));
            await().until(() -> files().stream().noneMatch(name -> name.startsWith(String.format("%016x", a.number))));
        }
    }

    @Test
    void whoeverOnlyTriesBuriesADeadHolderAtOnceToo() {
        Client a = open();
        try (Client b = open()) {
            a.enter("x", a.id());
            ClaimSpec attempt = ClaimSpec.whole(Client.LEASE).withIfFree(true);
            assertThat(b.send(Request.Enter.of("x", b.id(), attempt, 0, Client.OWNER))
                            .state())
                    .isEqualTo(Answer.State.BUSY);
            a.store.regularly(session -> session.wire.close());
            await().until(() -> b.inspect("x").resource().orElseThrow().claims().isEmpty());
        }
    }

    @Test
    void thoseWhoDiedTogetherAreBuriedTogether() {
        List<Client> dead = List.of(open(), open(), open());
        try (Client b = open()) {
            dead.forEach(a -> a.enter("of " + a.number, a.id()));
            dead.forEach(a -> a.store.regularly(session -> session.wire.close()));
            b.store.regularly(ClientSession::everySecond);
            for (Client a : dead) {
                await().until(() -> b.inspect("of " + a.number)
                        .resource()
                        .orElseThrow()
                        .claims()
                        .isEmpty());
            }
        }
    }

    /** As a client does that connects later, and failed to start at first. */
    @Test
    void aClientThatComesBackIsNotTakenForClosed() {
        openWithNumber().close();
        try (Client a = openWithNumber();
                Client b = open()) {
            a.enter("x", a.id());
            b.store.regularly(ClientSession::everySecond);
            b.store.regularly(session ->
                    assertThat(session.table.rootTable.slotOf(NUMBER)).isNotNegative());
            assertThat(b.inspect("x").resource().orElseThrow().granted()).isEqualTo(1);
        }
    }

    @Test
    void aClientThatComesBackSpoilsNothingThatItHasLeft() throws IOException {
        Client a = openWithNumber();
        a.enter("x", a.id());
        a.close();
        assertThatThrownBy(this::openWithNumber)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTemporary()).isTrue());
        assertThatThrownBy(() -> Segment.create(Boot.path(directory, HOST), NUMBER, 0, 1 << 16))
                .isInstanceOf(FileAlreadyExistsException.class);
        try (Client b = open()) {
            assertThat(b.inspect("x").resource().orElseThrow().granted()).isEqualTo(1);
            openWithNumber().close();
        }
    }

    /** What it wrote to a slot that is somebody else's now would be taken for damage. */
    @Test
    void whoeverIsBuriedAliveWritesNoMore() {
        try (Client a = open();
                Client b = open()) {
            ClaimId claim = a.id();
            long sequence = a.enter("x", claim).sequence();
            b.store.regularly(session -> session.reaper.reap(a.number));
            a.store.regularly(ClientSession::everySecond);
            assertThat(a.send(Request.Renew.of("x", claim, sequence, Client.LEASE, 0, false))
                            .state())
                    .isEqualTo(Answer.State.GONE);
            assertThatThrownBy(() -> a.enter("x", a.id()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("took this one for dead")
                    .hasMessageContaining(directory.toString());
            assertThat(b.enter("x", b.id()).state()).isEqualTo(Answer.State.GRANTED);
        }
    }

    @Test
    void aNewcomerBuriesTheDead() throws IOException {
        Client a = open();
        a.enter("x", a.id());
        a.store.regularly(session -> session.wire.close());
        try (Client b = open()) {
            await().until(() -> b.inspect("x").resource().orElseThrow().claims().isEmpty());
            assertThat(files()).noneMatch(name -> name.startsWith(String.format("%016x", a.number)));
        }
    }

    @Test
    void whatACloserHasWrittenIsTakenOverAndItsClaimsStay() throws IOException {
        Client a = open();
        ClaimId claim = a.id();
        a.enter("x", claim);
        a.close();
        try (Client b = open()) {
            assertThat(b.inspect("x").resource().orElseThrow().holders())
                    .first()
                    .matches(holder -> holder.id().equals(claim));
            assertThat(files()).noneMatch(name -> name.startsWith(String.format("%016x", a.number)));
            assertThat(b.enter("x", b.id()).state()).isEqualTo(Answer.State.WAITING);
        }
    }

    private List<String> files() throws IOException {
        return DirectoryFiles.list(Boot.path(directory, HOST), null);
    }
}
