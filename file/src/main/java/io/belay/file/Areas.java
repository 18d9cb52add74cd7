package io.belay.file;

import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The mapper of other clients' areas, which also makes room in this client's own. Used by the store's thread only. */
final class Areas {
    private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

    private final Table table;
    private final Path directory;
    /** The instant at which to grow early again. */
    private long growAt = System.nanoTime();

    Areas(Table table, Path directory) {
        this.table = table;
        this.directory = directory;
    }

    /** An attempt at some work, which may need files to go on. */
    interface Attempt<T> {
        T run() throws NeedsFiles;
    }

    <T> T provideFor(Attempt<T> attempt) {
        while (true) {
            try {
                return attempt.run();
            } catch (NeedsFiles needs) {
                provide(needs);
            }
        }
    }

    private void provide(NeedsFiles needs) {
        if (needs.room > 0) {
            makeRoom(needs.room);
            return;
        }
        int slot = Head.slot(needs.head);
        long client = table.rootTable.client(slot);
        try {
            map(slot, client, needs.segment);
        } catch (IOException e) {
            // The client may have been buried meanwhile, and its files with it. Then the head has moved on.
            if (table.rootTable.head(needs.bucket) == needs.head) {
                throw DirectoryFiles.isDamage(Segment.file(directory, client, needs.segment), e)
                        ? table.damaged(needs.bucket, e)
                        : StoreException.unreachable(
                                "cannot read locks in " + directory.getParent() + ": " + DirectoryFiles.reason(e), e);
            }
        }
    }

    private void map(int slot, long client, int segment) throws IOException {
        Area area = table.area(slot);
        if (area == null || area.client != client) {
            area = new Area(client);
            area.add(0, Segment.map(directory, client, 0));
            table.setArea(slot, area);
        }
        if (area.segment(segment) == null) {
            area.add(segment, Segment.map(directory, client, segment));
        }
    }

    private void makeRoom(int length) {
        try {
            table.own.growFor(length);
        } catch (IOException e) {
            throw StoreException.unreachable(
                    "cannot make room for locks in " + directory.getParent() + ": " + DirectoryFiles.reason(e), e);
        }
    }

    /**
     * Grows this client's area before it has to. If that fails, logs it, and leaves the disk alone for a minute; a request
     * that needs the room tries by itself.
     */
    void growEarly() {
        if (table.own.isLow() && System.nanoTime() - growAt >= 0) {
            try {
                table.own.growEarly();
            } catch (IOException e) {
                growAt = System.nanoTime() + PAUSE;
                FileLog.LOG.warn("{} is nearly full: {}", directory.getParent(), DirectoryFiles.reason(e));
            }
        }
    }

    /** Drops the areas of clients that are gone. */
    void prune() {
        for (int slot = 0; slot < Head.NOBODY; slot++) {
            Area area = table.area(slot);
            if (area != null && area.client != table.rootTable.client(slot)) {
                table.setArea(slot, null);
            }
        }
    }
}
