package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories on disks with little room. */
class FullDiskTest {
    private static final HostIdentity HOST = new HostIdentity("boot", "clock", "aa");

    @TempDir
    Path temp;

    private final FakeClock clock = new FakeClock();

    /** Opens the directory for a client whose first file alone may be larger than that. */
    private Client openWithRoomFor(int largest, List<Integer> asked) {
        return Client.open(Client.opening(temp, HOST, clock.clock(), (directory, client, number, size) -> {
            asked.add(size);
            if (number > 0 && size > largest) {
                throw new IOException("No space left on device");
            }
            return Segment.create(directory, client, number, size);
        }));
    }

    @Test
    void aDiskThatIsFull() {
        try (Client a = openWithRoomFor(0, new ArrayList<>())) {
            renewAll(a, fillUp(a));
            assertThat(a.leave("n0", ClaimId.of(a.number, 1)).state()).isEqualTo(Answer.State.LEFT);
        }
    }

    /** The same with a real file system of two megabytes, where the test may mount one. */
    @Test
    void aFileSystemThatIsFull() throws Exception {
        Path mount = Files.createDirectory(temp.resolve("mount"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", mount.toString()) == 0, "may not mount");
        try {
            try (Client a = Client.open(mount, HOST, clock.clock())) {
                renewAll(a, fillUp(a));
                assertThat(a.leave("n0", ClaimId.of(a.number, 1)).state()).isEqualTo(Answer.State.LEFT);
            }
            assertThatThrownBy(() -> Client.open(mount, HOST, clock.clock()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("No space left on device");
        } finally {
            run("umount", "-l", mount.toString());
        }
    }

    @Test
    void aDiskThatIsFullIsNotFilledAnewEverySecond() {
        List<Integer> asked = new ArrayList<>();
        try (Client a = openWithRoomFor(0, asked)) {
            fillUp(a);
            asked.clear();
            for (int i = 0; i < 3; i++) {
                a.store.regularly(session -> session.areas.growEarly());
            }
            assertThat(asked).hasSize(1);
        }
    }

    @Test
    void aDiskThatIsNearlyFullIsUsed() {
        int left = 300_000;
        List<Integer> asked = new ArrayList<>();
        try (Client a = openWithRoomFor(left, asked)) {
            for (int i = 0; asked.isEmpty() || asked.get(asked.size() - 1) > left; i++) {
                assertThat(a.enter("n" + i, a.id()).state()).isEqualTo(Answer.State.GRANTED);
            }
            assertThat(asked.get(asked.size() - 1)).isGreaterThan(left / 2);
        }
    }

    @Test
    void roomForRenewalsIsNotGivenAwayAgainByOtherChangesOfTheBucket() {
        try (Client a = openWithRoomFor(0, new ArrayList<>());
                Client b = Client.open(temp, HOST, clock.clock())) {
            List<ClaimId> before = List.of(b.id(), b.id(), b.id(), b.id());
            before.forEach(id -> b.enter("x", id));
            ClaimId own = a.id();
            Answer entered = a.enter("x", own);
            before.forEach(id -> b.leave("x", id)); // after this the document is shorter, and b's
            a.store.regularly(session -> session.reaper.sweep());
            fillUp(a);
            for (int i = 0; i < 20_000; i++) {
                fill(a, "m" + i); // also those that need less
            }
            for (int round = 0; round < 3; round++) {
                clock.advance(1_000);
                assertThat(a.send(Request.Renew.of("x", own, entered.sequence(), Client.LEASE, 0, false))
                                .state())
                        .as("round %s", round)
                        .isEqualTo(Answer.State.GRANTED);
            }
        }
    }

    private static void fill(Client a, String name) {
        try {
            a.enter(name, a.id());
        } catch (StoreException e) {
            assertThat(e).hasMessageContaining("No space left on device");
        }
    }

    static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    }

    /** Takes locks until there is no room; returns what it was granted, the lock n0 first. */
    private static List<Answer> fillUp(Client a) {
        List<Answer> granted = new ArrayList<>();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100_000; i++) {
                        granted.add(a.enter("n" + i, a.id()));
                    }
                })
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("No space left on device")
                .matches(e -> ((StoreException) e).isTemporary());
        return granted;
    }

    /** Whoever was granted a lock on the last room has it for as long as it is renewed. */
    private static void renewAll(Client a, List<Answer> granted) {
        assertThat(granted).hasSizeGreaterThan(100);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < granted.size(); i++) {
                ClaimId id = ClaimId.of(a.number, i + 1);
                long sequence = granted.get(i).sequence();
                assertThat(a.send(Request.Renew.of("n" + i, id, sequence, Client.LEASE, 0, false))
                                .state())
                        .as("lock %s of %s in round %s", i, granted.size(), round)
                        .isEqualTo(Answer.State.GRANTED);
            }
        }
    }
}
