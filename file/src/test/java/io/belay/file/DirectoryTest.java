package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.LossReason;
import io.belay.servers.Pace;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.spi.StoreProvider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Directories that are not as they should be. */
class DirectoryTest {
    private static final HostIdentity HOST = new HostIdentity("boot", "clock", "aa");

    @TempDir
    Path temp;

    private final FakeClock clock = new FakeClock();

    private Client open(Path directory) {
        return Client.open(directory, HOST, clock.clock());
    }

    /** Makes a directory that is fit for locks, whatever the umask of who tests. */
    private Path made(String name) throws IOException {
        return Files.createDirectory(temp.resolve(name), Access.privately(temp, "rwx------"));
    }

    private void refused(Path directory, String message) {
        refused(directory, HOST, message);
    }

    private void refused(Path directory, HostIdentity host, String message) {
        assertThatThrownBy(() -> Client.open(directory, host, clock.clock()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(message)
                .hasMessageContaining(directory.toString())
                .hasMessageNotContaining("\n")
                .matches(e -> !((StoreException) e).isTemporary());
    }

    /** What was put there by somebody else is not followed: an old boot's directory is deleted with all in it. */
    @Test
    void linksThatWerePlantedLeadNowhere() throws IOException {
        Path directory = made("locks");
        Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
        Path precious = Files.writeString(elsewhere.resolve("heads"), "precious");
        open(directory).close();
        Files.createSymbolicLink(directory.resolve("boot-000000000000"), elsewhere);
        Files.createSymbolicLink(directory.resolve("belay-store-new-1"), elsewhere);
        open(directory).close();
        assertThat(precious).hasContent("precious");
        assertThat(directory.resolve("boot-000000000000")).doesNotExist();

        Path second = made("second");
        Files.createSymbolicLink(second.resolve("boot-" + HOST.bootName()), elsewhere);
        Files.writeString(second.resolve(FormatFile.FILE), "format=1\nhost=aa\n");
        refused(second, "is a symbolic link, which Belay has not made");

        Path third = made("third");
        Files.createSymbolicLink(third.resolve(FormatFile.FILE), directory.resolve(FormatFile.FILE));
        refused(third, "is not what Belay wrote there");

        Path fourth = made("fourth");
        open(fourth).close();
        Path rootTable = fourth.resolve("boot-" + HOST.bootName()).resolve(RootTable.FILE);
        Files.move(rootTable, elsewhere.resolve("moved"));
        Files.createSymbolicLink(rootTable, elsewhere.resolve("moved"));
        refused(fourth, "is damaged");
    }

    @Test
    void oneThatEverybodyMayWriteToIsRefused() throws IOException {
        Path directory = Files.createDirectory(temp.resolve("public"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        refused(directory, "every user of this machine may write to");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        open(directory).close();
    }

    @Test
    void isMadeWithItsParentsForItsUserAlone() throws IOException {
        Path directory = temp.resolve("a/b/c");
        open(directory).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
        assertThat(Files.readString(directory.resolve(FormatFile.FILE))).contains("format=2\n", "host=aa\n");
    }

    @Test
    void isAService() throws Exception {
        Path classes = Path.of(FileStoreProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (InputStream module = Files.newInputStream(classes.resolve("module-info.class"))) {
            assertThat(ModuleDescriptor.read(module).provides())
                    .anyMatch(provides -> provides.service().equals(StoreProvider.class.getName())
                            && provides.providers().contains(FileStoreProvider.class.getName()));
        }
        try (InputStream services =
                FileStoreProvider.class.getResourceAsStream("/META-INF/services/" + StoreProvider.class.getName())) {
            assertThat(new String(services.readAllBytes(), StandardCharsets.UTF_8).lines())
                    .contains(FileStoreProvider.class.getName());
        }
        try (Store store = new FileStoreProvider().open("file:" + temp.resolve("x"), 5, new Client.Deaf())) {
            Request.Enter enter = FileBench.enter("x", ClaimId.of(5, 1));
            assertThat(store.send(enter).toCompletableFuture().join().state()).isEqualTo(Answer.State.GRANTED);
            assertThat(store.capabilities().push()).isTrue();
        }
    }

    @Test
    void whatIsNoDirectory() throws IOException {
        refused(Files.createFile(temp.resolve("file")), "is not a directory");
        refused(temp.resolve("file/below"), "cannot make the directory");
    }

    @Test
    void aDirectoryWithOtherFiles() throws IOException {
        for (String name : List.of("a", "b", "c", "d")) {
            Files.createFile(temp.resolve(name));
        }
        refused(temp, "holds other files (a, b, c, ...): give Belay a directory of its own");
    }

    @Test
    void aFreshMountIsEmptyEnough() throws IOException {
        Files.createDirectory(temp.resolve("lost+found"));
        open(temp).close();
    }

    @Test
    void markers() throws IOException {
        open(temp).close();
        Path formatFile = temp.resolve(FormatFile.FILE);
        Files.writeString(formatFile, "Belay\nformat=7\n");
        refused(temp, "made by a newer Belay (format 7); this one knows 2: update it, or use another directory");
        for (String rubbish : List.of("", "format=\n", "format=-1", "\0\0\0\0", "x".repeat(100_000))) {
            Files.writeString(formatFile, rubbish);
            refused(temp, "is not what Belay wrote there");
        }
        Files.delete(formatFile);
        Files.createDirectory(formatFile);
        refused(temp, "is not what Belay wrote there");
    }

    /** What an earlier version has left: the marker says so, and its claims are kept. */
    private void makeEarlier(Path directory) throws IOException {
        Path formatFile = directory.resolve(FormatFile.FILE);
        Files.writeString(formatFile, Files.readString(formatFile).replace("format=2", "format=1"));
    }

    @Test
    void anEarlierFormatIsTakenOverWithItsClaimsOnceNobodyIsThere() throws IOException {
        ClaimId held;
        try (Client a = open(temp)) {
            held = a.id();
            a.enter("x", held);
        }
        makeEarlier(temp);
        // Who only looks does so, and changes nothing.
        Examination.of(temp, new Access(false), HOST);
        try (Store look = ReadOnlyStore.open(temp, HOST, clock.clock())) {
            assertThat(look.inspect("x").toCompletableFuture().join().resource())
                    .isPresent();
        }
        assertThat(temp.resolve(FormatFile.FILE)).content().contains("format=1\n");
        // A container of the same machine may have a name of its own, and leaves the first one's.
        try (Client b = Client.open(temp, new HostIdentity("boot", "clock", "bb"), clock.clock())) {
            assertThat(b.enter("x", b.id()).state()).isEqualTo(Answer.State.WAITING);
            assertThat(b.inspect("x").resource().orElseThrow().claims().get(0).id())
                    .isEqualTo(held);
        }
        assertThat(temp.resolve(FormatFile.FILE)).content().contains("format=2\n", "host=aa\n");
    }

    @Test
    void anEarlierFormatIsRefusedWhileSomebodyIsThere() throws IOException {
        try (Client a = open(temp)) {
            makeEarlier(temp);
            refused(temp, "is in use by processes of an earlier version of Belay");
            refused(temp, new HostIdentity("second boot", "clock", "aa"), "in use by processes of another boot id");
            assertThat(temp.resolve(FormatFile.FILE)).content().contains("format=1\n");
            assertThat(a.enter("x", a.id()).state()).isEqualTo(Answer.State.GRANTED);
        }
        open(temp).close();
        assertThat(temp.resolve(FormatFile.FILE)).content().contains("format=2\n");
    }

    @Test
    void theDirectoryOfAnotherMachine() throws IOException {
        open(temp).close();
        HostIdentity other = new HostIdentity("boot of another", "clock", "bb");
        refused(temp, other, "belongs to another machine");
        refused(temp, other, "remove the line host=aa from");
        // A container of the same machine may have a name of its own.
        Client.open(temp, new HostIdentity("boot", "clock", "bb"), clock.clock())
                .close();
        Path formatFile = temp.resolve(FormatFile.FILE);
        Files.writeString(formatFile, Files.readString(formatFile).replace("host=aa\n", ""));
        Client.open(temp, other, clock.clock()).close();
        refused(temp, new HostIdentity("boot 3", "clock", "aa"), "belongs to another machine");
    }

    @Test
    void aMarkerThatCannotBeSetLeavesNothing() throws IOException {
        Files.createDirectories(temp.resolve(FormatFile.FILE).resolve("in the way"));
        assertThatThrownBy(() -> FormatFile.write(temp, new Access(false), new HostIdentity("boot", "", "aa")))
                .isInstanceOf(IOException.class);
        assertThat(temp.toFile().list()).containsExactly(FormatFile.FILE);
    }

    @Test
    void anotherTimeNamespace() {
        open(temp).close();
        refused(temp, new HostIdentity("boot", "another clock", "aa"), "another time namespace");
    }

    @Test
    void anotherBootVoidsAllClaimsAndTokensRiseAlthoughTheWallClockWasSetBack() throws IOException {
        long last;
        try (Client a = open(temp)) {
            last = a.enter("x", a.id()).sequence();
        }
        FakeClock rebooted = new FakeClock(7_000_000, clock.wall.get() - 3_600_000_000L);
        HostIdentity again = new HostIdentity("second boot", "clock", "aa");
        try (Client b = Client.open(temp, again, rebooted.clock())) {
            Answer answer = b.enter("x", b.id());
            assertThat(answer.state()).isEqualTo(Answer.State.GRANTED);
            assertThat(answer.sequence()).isGreaterThan(last);
            assertThat(answer.time()).isLessThan(last + 10 * RootTable.MARGIN);
        }
        try (Stream<Path> boots = Files.list(temp)) {
            assertThat(boots.filter(Files::isDirectory)).hasSize(1);
        }
    }

    @Test
    void tokensRiseAcrossABootAlsoIfNobodyRaisedTheHighWaterForLong() {
        long last;
        try (Client a = open(temp)) {
            clock.micros.addAndGet(600_000_000);
            last = a.enter("x", a.id()).sequence();
        }
        HostIdentity again = new HostIdentity("second boot", "clock", "aa");
        try (Client b = Client.open(temp, again, new FakeClock().clock())) {
            assertThat(b.enter("x", b.id()).sequence()).isGreaterThan(last);
        }
    }

    @Test
    void rubbishInTheHeadsOfAnEarlierBootIsPassedOver() throws IOException {
        open(temp).close();
        Files.writeString(boot(temp).resolve(RootTable.FILE), "rubbish");
        Client.open(temp, new HostIdentity("second boot", "clock", "aa"), clock.clock())
                .close();
    }

    @Test
    void aClockThatIsNotTheOthers() {
        try (Client a = open(temp)) {
            a.enter("x", a.id());
            refused(temp, HOST, new FakeClock(1_000_000, 0), "the clock of this process is not that of the other");
        }
    }

    private void refused(Path directory, HostIdentity host, FakeClock other, String message) {
        assertThatThrownBy(() -> Client.open(directory, host, other.clock()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void rubbishAnywhereIsRefusedInWords(long seed) throws IOException {
        Random random = new Random(seed);
        Client a = open(temp);
        for (int i = 0; i < 300; i++) {
            a.enter("x" + i, a.id());
        }
        Path boot = boot(temp);
        List<String> names = DirectoryFiles.list(boot, "*[!k]");
        Path victim = boot.resolve(names.get(random.nextInt(names.size())));
        try (FileChannel channel = FileChannel.open(victim, StandardOpenOption.WRITE)) {
            for (int i = 0; i < 200; i++) {
                byte[] rubbish = new byte[1 + random.nextInt(i % 2 == 0 ? 8 : 2_000)];
                random.nextBytes(rubbish);
                channel.write(ByteBuffer.wrap(rubbish), random.nextInt((int) channel.size() - 2_000));
            }
        }
        try (Client b = open(temp)) {
            for (Client client : List.of(a, b)) {
                for (int i = 0; i < 300; i++) {
                    tolerant(client, "x" + i);
                }
                client.store.regularly(session -> session.reaper.sweep());
            }
        } catch (StoreException e) {
            assertThat(e).hasMessageContaining(temp.toString());
        }
        a.close();
    }

    private static void tolerant(Client client, String name) {
        try {
            client.enter(name, client.id());
        } catch (StoreException e) {
            assertThat(e).hasMessageContaining("is damaged").hasMessageNotContaining("\n");
        }
    }

    @Test
    void isForSoManyClientsAtATimeAndLeavesNothingOfOneMore() throws IOException {
        open(temp).close();
        RootTable table = RootTable.map(boot(temp), clock.clock().nanos());
        for (int slot = 0; slot < 4_095; slot++) {
            assertThat(table.claimSlot(slot + 1)).isEqualTo(slot);
        }
        assertThat(table.claimSlot(-1)).isNegative();
        List<String> before = DirectoryFiles.list(boot(temp), "*");
        refused(temp, "is used by 4095 clients, and there is no room for more");
        assertThat(DirectoryFiles.list(boot(temp), "*")).containsExactlyInAnyOrderElementsOf(before);
        assertThat(table.freeSlot(4_000, 4_001)).isTrue();
        open(temp).close();
    }

    @Test
    void aDirectoryThatIsRemovedInUse() throws IOException {
        Path directory = temp.resolve("d");
        try (Client a = open(directory)) {
            a.enter("x", a.id());
            deleteAll(directory);
            a.store.regularly(ClientSession::everySecond);
            assertThatThrownBy(() -> a.enter("x", a.id()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("was removed or replaced while it was in use");
            a.store.regularly(ClientSession::everySecond);
        }
    }

    @Test
    void whoHoldsALockInADirectoryThatIsRemovedIsToldAtOnce() throws Exception {
        Path directory = temp.resolve("d");
        try (Belay a = Belay.connect("file:" + directory);
                Belay b = Belay.connect("file:" + directory)) {
            for (Belay belay : List.of(a, b)) {
                belay.lock("warm").acquire().close();
            }
            CompletableFuture<LeaseLostException> first = new CompletableFuture<>();
            CompletableFuture<LeaseLostException> second = new CompletableFuture<>();
            CompletableFuture<LeaseLostException> third = new CompletableFuture<>();
            Lease one = a.lock("one").acquire();
            Lease two = b.lock("two").acquire();
            // As each belay run has one: its lease is made longer by requests of another kind.
            LockOptions kept = LockOptions.defaults().withAtLeast(Duration.ofMillis(1));
            Lease three = b.lock("three", kept).acquire();
            one.onLost(first::complete);
            two.onLost(second::complete);
            three.onLost(third::complete);
            deleteAll(directory);
            for (CompletableFuture<LeaseLostException> told : List.of(first, second, third)) {
                assertThat(told.get(Pace.seconds(), TimeUnit.SECONDS).reason())
                        .as("at the end of its lease it would have expired")
                        .contains(LossReason.FORGOTTEN);
            }
        }
    }

    @Test
    void aDirectoryThatIsReplacedInUse() throws IOException {
        Path directory = temp.resolve("d");
        try (Client a = open(directory)) {
            deleteAll(directory);
            try (Client b = open(directory)) {
                a.store.regularly(ClientSession::everySecond);
                assertThatThrownBy(() -> a.enter("x", a.id())).hasMessageContaining("removed or replaced");
                assertThat(b.enter("x", b.id()).state()).isEqualTo(Answer.State.GRANTED);
            }
        }
    }

    @Test
    void whatCannotBeReadJustNowIsNotCalledDamaged() {
        try (Client a = open(temp);
                Client b = open(temp)) {
            a.enter("x", a.id());
            b.store.regularly(
                    session -> cannotBeReadNow(() -> session.areas.provideFor(() -> session.table.inspect("x"))));
            assertThat(b.inspect("x").resource()).isPresent();
        }
        cannotBeReadNow(() -> Boot.rootTable(temp, HOST, clock.clock().nanos(), false));
    }

    /** It would be deleted next, and with it what keeps tokens rising if the wall clock was set back. */
    @Test
    void anEarlierBootThatCannotBeReadJustNowIsNotPassedOver() {
        open(temp).close();
        Boot.Clock interrupting = new Boot.Clock(clock.clock().nanos(), () -> {
            Thread.currentThread().interrupt();
            return clock.wall.get();
        });
        HostIdentity again = new HostIdentity("second boot", "clock", "aa");
        isRefusedForNow(() -> Boot.prepare(temp, new Access(false), again, interrupting));
        assertThat(Boot.exists(temp, HOST)).isTrue();
    }

    /** An interrupt closes the file before it is read. */
    private static void cannotBeReadNow(ThrowingCallable reading) {
        Thread.currentThread().interrupt();
        isRefusedForNow(reading);
    }

    private static void isRefusedForNow(ThrowingCallable reading) {
        assertThatThrownBy(reading)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("cannot read")
                .matches(e -> ((StoreException) e).isTemporary());
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aFileSystemThatIsReadOnly() throws Exception {
        Path mount = Files.createDirectory(temp.resolve("mount"));
        assumeTrue(
                FullDiskTest.run("mount", "-t", "tmpfs", "-o", "ro", "tmpfs", mount.toString()) == 0, "may not mount");
        try {
            refused(mount, "may not be written by this process");
            refused(mount.resolve("below"), "cannot make the directory");
        } finally {
            FullDiskTest.run("umount", "-l", mount.toString());
        }
    }

    private static Path boot(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(Files::isDirectory).findFirst().orElseThrow();
        }
    }

    private static void deleteAll(Path directory) throws IOException {
        while (Files.exists(directory)) {
            try (Stream<Path> all = Files.walk(directory)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            } catch (DirectoryNotEmptyException e) {
                // A client has made its socket anew meanwhile.
            }
        }
    }
}
