package io.belay.jdbc;

import io.belay.tck.StoreSpec;
import java.util.UUID;

/** A database that tests share, with a table of each one's own. */
final class JdbcSpec implements StoreSpec {
    private final String url;

    /** @param separator what stands before the first of the URL's parameters that follow */
    JdbcSpec(String database, String separator) {
        String table = "t" + UUID.randomUUID().toString().replace("-", "");
        String next = separator.equals("?") ? "&" : separator;
        url = database + separator + "belay-create=true" + next + "belay-table=" + table;
    }

    @Override
    public String url() {
        return url;
    }

    /** It looks at what others have changed, and tells what it sees then. */
    @Override
    public boolean actsUnasked() {
        return true;
    }
}
