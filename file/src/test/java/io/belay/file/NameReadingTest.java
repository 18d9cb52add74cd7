package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.ClaimId;
import io.belay.spi.Store;
import io.belay.spi.Store.NamePage;
import io.belay.spi.StoreException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that are listed while other clients write. */
@Tag("long")
class NameReadingTest {
    private static final HostIdentity HOST = new HostIdentity("boot", "clock", "aa");
    private static final int MANY = 2_500;

    @TempDir
    private Path temp;

    private Path directory;
    private final FakeClock clock = new FakeClock();

    @BeforeEach
    void name() {
        directory = temp.resolve("locks");
    }

    private Client open() {
        return Client.open(directory, HOST, clock.clock());
    }

    private static Set<String> hold(Client client, String prefix) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            client.enter(prefix + i, client.id());
            names.add(prefix + i);
        }
        return names;
    }

    /** Returns all names, which stand in one page each here, as a name has one bucket. */
    private static List<String> list(Store store, String prefix) {
        List<String> names = new ArrayList<>();
        Optional<String> cursor = Optional.of("");
        while (cursor.isPresent()) {
            NamePage page =
                    store.names(prefix, cursor.get()).toCompletableFuture().join();
            assertThat(page.names()).hasSizeLessThan(2_000);
            names.addAll(page.names());
            cursor = page.next();
        }
        return names;
    }

    @Test
    void whatAnotherClientHasIsListedAndReadOnce() {
        try (Client a = open()) {
            Set<String> names = hold(a, "x");
            hold(a, "y");
            try (Client b = open();
                    Store look = ReadOnlyStore.open(directory, HOST, clock.clock())) {
                for (Store store : List.of(a.store, b.store, look)) {
                    assertThat(list(store, "x")).containsExactlyInAnyOrderElementsOf(names);
                    assertThat(list(store, "")).hasSize(2 * MANY);
                    assertThat(list(store, "z")).isEmpty();
                }
            }
        }
    }

    /** The buckets go from client to client meanwhile, and what one that closes has written is copied. */
    @Test
    void whatStaysIsNotMissedWhileTheBucketsChangeHands() throws InterruptedException {
        try (Client a = open();
                Client lister = open()) {
            Set<String> names = hold(a, "x");
            AtomicBoolean done = new AtomicBoolean();
            List<Throwable> failures = new ArrayList<>();
            Thread thread = new Thread(() -> {
                try {
                    while (!done.get()) {
                        try (Client b = open()) {
                            for (int i = 0; i < MANY && !done.get(); i++) {
                                ClaimId id = b.id();
                                b.enter("y" + i, id);
                                b.leave("y" + i, id);
                            }
                        }
                    }
                } catch (RuntimeException | Error e) {
                    failures.add(e);
                }
            });
            thread.start();
            for (int i = 0; i < 20; i++) {
                assertThat(list(lister.store, "x")).containsExactlyInAnyOrderElementsOf(names);
            }
            done.set(true);
            thread.join();
            assertThat(failures).isEmpty();
        }
    }

    @Test
    void aClosedStoreListsNothingAndADirectoryThatNobodyUsesIsEmpty() {
        Client a = open();
        a.close();
        assertThatThrownBy(() -> list(a.store, ""))
                .cause()
                .isInstanceOf(StoreException.class)
                .hasMessage("the store is closed");
        HostIdentity rebooted = new HostIdentity("second boot", "clock", "aa");
        try (Store look = ReadOnlyStore.open(directory, rebooted, clock.clock())) {
            assertThat(list(look, "")).isEmpty();
        }
    }
}
