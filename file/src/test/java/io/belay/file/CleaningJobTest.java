package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories from which a job takes away what is old, as in /tmp. */
class CleaningJobTest {
    private static final HostIdentity HOST = new HostIdentity("boot", "clock", "aa");

    @TempDir
    Path temp;

    private final FakeClock clock = new FakeClock();

    private Client open(Path directory) {
        return Client.open(directory, HOST, clock.clock());
    }

    /** Nobody has changed it since the first client came. */
    @Test
    void aMarkerThatIsDeletedInUseIsWrittenAnew() throws IOException {
        try (Client a = open(temp);
                Client b = open(temp)) {
            a.enter("x", a.id());
            Files.delete(temp.resolve(FormatFile.FILE));
            try (Client c = open(temp)) {
                assertThat(c.enter("x", c.id()).state()).isEqualTo(Answer.State.WAITING);
            }
            assertThat(temp.resolve(FormatFile.FILE)).content().contains("format=2\n");
            assertThat(b.enter("x", b.id()).state()).isEqualTo(Answer.State.WAITING);
        }
    }

    @Test
    void anAreaThatIsDeletedInUseIsNoticedByItsOwner() throws IOException {
        try (Client a = open(temp);
                Client b = open(temp)) {
            Files.delete(Segment.file(Boot.path(temp, HOST), a.number, 0));
            a.store.regularly(ClientSession::everySecond);
            assertThatThrownBy(() -> a.enter("x", a.id())).hasMessageContaining("was deleted while it was in use");
            assertThat(b.enter("x", b.id()).state()).isEqualTo(Answer.State.GRANTED);
        }
    }

    /** Its claims end by their leases, as it does not renew them; those of others stand. */
    @Test
    void whatWasInADeletedAreaIsThereForThoseWhoCome() throws IOException {
        try (Client a = open(temp);
                Client b = open(temp)) {
            ClaimId others = b.id();
            assertThat(b.enter("y", others).state()).isEqualTo(Answer.State.GRANTED);
            a.enter("y", a.id());
            a.enter("x", a.id());
            Files.delete(Segment.file(Boot.path(temp, HOST), a.number, 0));
            a.store.regularly(ClientSession::everySecond);
            try (Client c = open(temp)) {
                assertThat(c.enter("x", c.id()).state()).isEqualTo(Answer.State.WAITING);
                assertThat(c.inspect("y").resource().orElseThrow().holders())
                        .singleElement()
                        .matches(holder -> holder.id().equals(others));
                clock.advance(Client.LEASE);
                assertThat(c.enter("x", c.id()).state()).isEqualTo(Answer.State.GRANTED);
            }
        }
    }

    @Test
    void anAreaThatWasDeletedIsThereAfterTheCloseOfItsOwner() throws IOException {
        try (Client b = open(temp)) {
            Client a = open(temp);
            a.enter("x", a.id());
            Files.delete(Segment.file(Boot.path(temp, HOST), a.number, 0));
            a.close();
            assertThat(b.enter("x", b.id()).state()).isEqualTo(Answer.State.WAITING);
            clock.advance(Client.LEASE);
            assertThat(b.enter("x", b.id()).state()).isEqualTo(Answer.State.GRANTED);
        }
    }

    @Test
    void anAreaThatWasDeletedIsThereAfterTheDeathOfItsOwner() throws IOException {
        Client a = open(temp);
        a.enter("x", a.id());
        Files.delete(Segment.file(Boot.path(temp, HOST), a.number, 0));
        a.store.regularly(ClientSession::everySecond);
        a.store.regularly(session -> session.wire.close());
        try (Client b = open(temp)) {
            assertThat(b.enter("x", b.id()).state()).isEqualTo(Answer.State.GRANTED);
        }
    }

    @Test
    void aClientKeepsYoungWhatItNeeds() throws IOException {
        try (Client a = open(temp)) {
            FileTime old = FileTime.from(Instant.EPOCH);
            List<Path> files = List.of(
                    temp.resolve(FormatFile.FILE),
                    Boot.path(temp, HOST).resolve(RootTable.FILE),
                    Segment.file(Boot.path(temp, HOST), a.number, 0));
            for (Path file : files) {
                Files.setLastModifiedTime(file, old);
            }
            for (int second = 0; second <= 3_600; second++) {
                a.store.regularly(ClientSession::everySecond);
            }
            for (Path file : files) {
                assertThat(Files.getLastModifiedTime(file)).as("%s", file).isGreaterThan(old);
            }
        }
    }
}
