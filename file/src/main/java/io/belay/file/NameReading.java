package io.belay.file;

import io.belay.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The reading of a page of names, bucket by bucket. Of each it reads a copy, as an inspection does: for that moment it keeps
 * other threads of this client from some buckets, and other clients from nothing. What a page has read is kept when it needs
 * a file to go on. A cursor is the number of the next bucket.
 */
final class NameReading implements Areas.Attempt<Store.NamePage> {
    /** The number of names after which a page ends, with the bucket that it is at. */
    private static final int ENOUGH = 1_000;

    private final Table table;
    private final String prefix;
    private final List<String> names = new ArrayList<>();
    private int bucket;
    private int read;

    NameReading(Table table, String prefix, String cursor) {
        this.table = table;
        this.prefix = prefix;
        bucket = cursor.isEmpty() ? 0 : Integer.parseInt(cursor);
    }

    @Override
    public Store.NamePage run() throws NeedsFiles {
        table.checkUsable();
        while (bucket < RootTable.BUCKETS && read < ENOUGH) {
            if (!Head.isEmpty(table.rootTable.head(bucket))) {
                List<String> found = new ArrayList<>();
                table.change(bucket, (document, now) -> list(document, found));
                read += found.size();
                found.stream().filter(name -> name.startsWith(prefix)).forEach(names::add);
            }
            bucket++;
        }
        return Store.NamePage.of(
                names, bucket < RootTable.BUCKETS ? Optional.of(Integer.toString(bucket)) : Optional.empty());
    }

    private static boolean list(Document document, List<String> found) {
        found.clear();
        for (int i = 0; i < document.size(); i++) {
            found.add(document.name(i));
        }
        return false;
    }
}
