package io.belay.file;

import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A client's socket, area and slot in a directory while its store is open. It makes them in that order, since a slot
 * whose socket refuses connections is a dead client's. Its methods run on the store's thread.
 */
final class ClientSession {
    private static final int SWEEP_SECONDS = 10;

    /** A cleaning job takes files away that nobody has read or changed for days, and what is mapped may count as neither. */
    private static final int TOUCH_SECONDS = 3_600;

    final Path directory;
    final Table table;
    final Areas areas;
    final ClientLinks wire;
    final DeadClientReaper reaper;
    final MissedPushScanner scanner;
    private final Path boot;
    private final RootTable rootTable;
    private final Endpoint endpoint;
    private final long client;
    private final ClientLinks.Events events;
    private final @Nullable Object identity;
    private int seconds;

    /**
     * The settings with which a client opens a directory.
     *
     * @param directory the directory, absolute
     * @param access the processes that share it
     * @param regular whether the store does its regular work every second by itself; tests may want to say when
     */
    record Opening(
            Path directory, Access access, HostIdentity host, Boot.Clock clock, OwnArea.Disk disk, boolean regular) {
        static Opening of(Path directory, Access access) {
            OwnArea.Disk disk = (boot, client, number, size) -> {
                Segment made = Segment.create(boot, client, number, size);
                Path file = Segment.file(boot, client, number);
                try {
                    access.give(file, "rw-r-----");
                } catch (IOException e) {
                    Files.delete(file);
                    throw e;
                }
                return made;
            };
            return new Opening(directory, access, HostIdentity.current(), Boot.Clock.system(), disk, true);
        }
    }

    ClientSession(Opening opening, long client, ClientLinks.Events events, DeadClientReaper.Teller teller)
            throws IOException {
        this.client = client;
        this.events = events;
        directory = opening.directory();
        boot = Boot.path(directory, opening.host());
        ClientLinks listening;
        try (Entrance entrance = enter(opening)) {
            rootTable =
                    Boot.rootTable(directory, opening.host(), opening.clock().nanos(), false);
            if (rootTable.slotOf(client) >= 0) {
                throw StoreException.unreachable(
                        "what this client has left in " + directory + " has still to be taken over by another one",
                        null);
            }
            rootTable.raiseHighWater();
            identity = identity();
            endpoint = new Endpoint(boot, client, opening.access());
            listening = listen(events);
        }
        int slot = -1;
        try {
            OwnArea own = area(opening);
            slot = rootTable.claimSlot(client);
            if (slot < 0) {
                throw StoreException.unusable(
                        directory + " is used by " + Head.NOBODY + " clients, and there is no room for more", null);
            }
            table = new Table(rootTable, own, slot, directory.toString());
        } finally {
            if (slot < 0) {
                listening.close();
                deleteFiles();
            }
        }
        wire = listening;
        areas = new Areas(table, boot);
        reaper = new DeadClientReaper(table, areas, boot, teller);
        scanner = new MissedPushScanner(table, wire::push);
        seconds = slot;
    }

    private static Entrance enter(Opening opening) {
        return Directory.enter(opening.directory(), opening.access(), opening.host(), opening.clock());
    }

    private ClientLinks listen(ClientLinks.Events events) throws IOException {
        try {
            return new ClientLinks(endpoint, client, events);
        } catch (IOException | RuntimeException | Error e) {
            deleteFiles();
            throw e;
        }
    }

    private OwnArea area(Opening opening) {
        try {
            return new OwnArea(boot, client, opening.disk());
        } catch (IOException e) {
            throw StoreException.unusable(
                    "cannot make room for locks in " + directory + ": " + DirectoryFiles.reason(e), e);
        }
    }

    /** Begins to answer other clients, reaps those that are dead or have closed, and deletes stale files. */
    void start() {
        wire.start();
        for (int slot = 0; slot < Head.NOBODY; slot++) {
            long other = rootTable.client(slot);
            if (other != 0 && slot != table.slot && (rootTable.isClosed(slot) || isDead(other))) {
                reaper.reap(other);
            }
        }
        StaleFileCleaner.clear(directory, boot, rootTable, endpoint);
    }

    private boolean isDead(long other) {
        try {
            return endpoint.isDead(other);
        } catch (IOException e) {
            return false;
        }
    }

    void everySecond() {
        seconds++;
        checkPlace();
        if (!table.isUsable()) {
            return;
        }
        rootTable.raiseHighWater();
        wire.checkSocket();
        watchNext();
        areas.growEarly();
        scanner.remind(areas);
        if (seconds % SWEEP_SECONDS == 0) {
            reaper.sweep();
            areas.prune();
        }
        if (seconds % (6 * SWEEP_SECONDS) == 0) {
            StaleFileCleaner.clear(directory, boot, rootTable, endpoint);
        }
        if (seconds % TOUCH_SECONDS == 0) {
            touch();
        }
    }

    /** Makes the files young that this client needs; but for that at the {@link Entrance}, whose lock a process would lose by it. */
    void touch() {
        FileTime now = FileTime.from(Instant.now());
        Stream<Path> shared = Stream.of(directory.resolve(FormatFile.FILE), boot.resolve(RootTable.FILE));
        Stream.concat(shared, table.own.files().stream()).forEach(file -> {
            try {
                Files.setLastModifiedTime(file, now);
            } catch (IOException e) {
                FileLog.LOG.debug(
                        "could not touch {}: {}", file, e.toString()); // of another user of the group, for instance
            }
        });
    }

    /** Watches the next client, in a ring of all, so that a death is noticed also where nobody waits. */
    void watchNext() {
        for (int i = 1; i < Head.SLOTS; i++) {
            int slot = (table.slot + i) % Head.SLOTS;
            long other = rootTable.client(slot);
            if (other != 0 && slot != Head.NOBODY) {
                if (slot != table.slot && rootTable.isClosed(slot)) {
                    reaper.reap(other);
                } else if (slot != table.slot) {
                    wire.watch(other);
                    return;
                }
            }
        }
    }

    /**
     * Fails the table if the directory has been removed or replaced, or this client's own area, where nobody who comes later would
     * see its claims, if another client has buried this one, and has given its slot away, or if the clock is wrong.
     */
    private void checkPlace() {
        if (table.isUsable() && !Objects.equals(identity, identity())) {
            lose("the directory " + directory
                    + " was removed or replaced while it was in use: restart all processes that use it");
        } else if (table.isUsable() && rootTable.client(table.slot) != client) {
            lose("another process took this one for dead, and ended its claims in " + directory + ": restart this one");
        } else if (table.isUsable() && table.own.files().stream().anyMatch(Files::notExists)) {
            lose("a file of this process in " + directory + " was deleted while it was in use: restart this one");
            restore();
        }
        try {
            Boot.checkClock(directory, rootTable);
        } catch (StoreException e) {
            table.fail(e);
        }
    }

    private void lose(String why) {
        table.remove(StoreException.unusable(why, null));
        events.removed();
    }

    /**
     * Makes this client's files anew where they were deleted, since others have claims in them, and its own end by their leases
     * alone. It writes to them no more.
     */
    private void restore() {
        if (rootTable.client(table.slot) == client && Objects.equals(identity, identity())) {
            try {
                table.own.restore();
            } catch (IOException e) {
                FileLog.LOG.warn(
                        "a file in {} was deleted, and could not be made anew ({}): stop all processes that use the directory,"
                                + " delete it, and start them again",
                        directory,
                        DirectoryFiles.reason(e));
            }
        }
    }

    private @Nullable Object identity() {
        try {
            return Files.readAttributes(boot.resolve(RootTable.FILE), BasicFileAttributes.class)
                    .fileKey();
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            return identity;
        }
    }

    /** Leaves. The slot stays taken if documents of this client are in use; another client will take them over. */
    void close() {
        table.fail(StoreException.unusable("the store is closed", null));
        restore();
        rootTable.markClosed(table.slot, client);
        if (rootTable.isNamed(table.slot)) {
            endpoint.delete();
        } else if (rootTable.freeSlot(table.slot, client)) {
            deleteFiles();
        }
        wire.close();
    }

    private void deleteFiles() {
        endpoint.delete();
        try {
            for (String name : DirectoryFiles.list(boot, String.format("%016x.*", client))) {
                Files.deleteIfExists(boot.resolve(name));
            }
        } catch (IOException e) {
            FileLog.LOG.debug("could not delete the files of this client: {}", e.toString());
        }
    }
}
