package io.belay.jdbc;

import io.belay.spi.StoreException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A database's own URL, in which parameters whose names begin with {@code belay-} are Belay's, and are taken out
 * before a driver sees it. Messages name the part that is wrong, never the whole, which may hold a password.
 *
 * @param driver the URL that the driver is given
 * @param place where the database is, in words that hold no secret
 * @param guarded the database of the fence, if it is another one than that of the locks
 */
record JdbcUrl(
        String driver,
        Dialect dialect,
        String place,
        Settings settings,
        @Nullable JdbcUrl guarded) {
    private static final String OWN_FILE = "own-file";
    private static final Pattern H2_MEMORY = Pattern.compile("jdbc:h2:mem:([^;]*).*", Pattern.DOTALL);
    /** The parts of a URL of H2 that say whether a database is to be made, and what in it. */
    private static final Pattern H2_MAKES = Pattern.compile("(?i);(IFEXISTS|INIT)=");

    private static final Pattern KIND = Pattern.compile("jdbc:([a-z0-9]+):.*", Pattern.DOTALL);
    private static final Pattern OWN = Pattern.compile("(?i)([?&;])belay-([^=&;]*)=?([^&;]*)");
    private static final String HOST = "(?:[\\w.-]+|\\[[\\w.:%]+])(?::\\d+)?";
    /** A strict pattern, since what is beside the hosts may be a password. */
    private static final Pattern HOSTS = Pattern.compile(
            "jdbc:[a-z0-9:]+//(?:[^?;]*@)?(" + HOST + "(?:," + HOST + ")*)(?:[/?;].*)?", Pattern.DOTALL);

    /** What PostgreSQL's driver takes for hosts, and what stands behind them. */
    private static final Pattern POSTGRES_HOSTS =
            Pattern.compile("jdbc:postgresql://([^/?]*)(/?)([^?]*).*", Pattern.DOTALL);

    private static final Pattern POSTGRES_PORTS =
            Pattern.compile("(?:(?:[^,:\\[]*|\\[[^\\],]*])(?::\\d{1,5})?(?:,|$))*");

    private static final String LOOPBACK = "(?:localhost|127(?:\\.\\d+){3}|\\[::1])(?::\\d+)?";
    /** No host is this one, too. */
    private static final Pattern LOCAL = Pattern.compile(
            "jdbc:[a-z0-9:]+//(?:[^?;/]*@)?(?:" + LOOPBACK + "(?:," + LOOPBACK + ")*)?(?:[/?;].*)?",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    static JdbcUrl parse(String url) {
        Dialect dialect = dialect(url);
        if (dialect == null) {
            throw Settings.wrong(
                    "names no database that Belay knows: jdbc: is followed by postgresql:, mysql:, mariadb:, h2: or sqlite:");
        }
        Settings settings = Settings.DEFAULT;
        Matcher own = OWN.matcher(url);
        StringBuilder driver = new StringBuilder();
        int query = url.indexOf('?');
        int first = -1; // where the parameters begin, if their question mark was taken out with one of Belay's
        boolean ownFile = dialect == Dialect.SQLITE;
        while (own.find()) {
            String parameter = own.group(2).toLowerCase(Locale.ROOT);
            if (parameter.equals(OWN_FILE) && dialect == Dialect.SQLITE) {
                ownFile = Settings.truth(OWN_FILE, own.group(3));
            } else {
                settings = settings.with(parameter, own.group(3));
            }
            own.appendReplacement(driver, "");
            if (own.start() == query) {
                first = driver.length();
            }
        }
        own.appendTail(driver);
        // All else stays as it is: a later question mark may be part of a password.
        if (first >= 0 && first < driver.length() && driver.charAt(first) == '&') {
            driver.setCharAt(first, '?');
        }
        String plain = driver.toString();
        refusePrivate(plain);
        refuseLogin(plain);
        JdbcUrl all = new JdbcUrl(plain, dialect, place(dialect, plain), settings, null);
        String locks = ownFile ? SqliteFiles.ofLocks(plain) : plain;
        return locks.equals(plain) ? all : new JdbcUrl(locks, dialect, all.place, settings, all);
    }

    /** Returns the kind of database that a driver's URL names; null if it is none of those that Belay knows. */
    static @Nullable Dialect dialect(String url) {
        Matcher kind = KIND.matcher(url);
        return kind.matches() ? Dialect.ofUrl(kind.group(1)) : null;
    }

    /** Returns the URL for a client with these settings: who makes no table makes no file of a database for it either. */
    JdbcUrl openedBy(Settings chosen) {
        return chosen.create() ? this : ofExisting();
    }

    /** Returns the URL of a database that has to be there: drivers make a file that is not, and an empty one is of no use. */
    JdbcUrl ofExisting() {
        if (dialect == Dialect.SQLITE) {
            SqliteFiles.file(driver).filter(Files::notExists).ifPresent(file -> {
                throw StoreException.unusable(place + " has no file " + file + ": " + Failures.TO_MAKE, null);
            });
        }
        boolean file = dialect == Dialect.H2 && !H2_MEMORY.matcher(driver).matches();
        return file && !H2_MAKES.matcher(driver).find()
                ? new JdbcUrl(driver + ";IFEXISTS=TRUE", dialect, place, settings, guarded)
                : this;
    }

    /** Returns where a driver's URL leads, in words that hold no secret. */
    static String place(Dialect dialect, String url) {
        Matcher hosts = HOSTS.matcher(url);
        if (H2_MEMORY.matcher(url).matches() && !url.toUpperCase(Locale.ROOT).contains(";DB_CLOSE_DELAY=")) {
            return dialect.title() + Failures.IN_MEMORY;
        }
        return dialect.title() + (hosts.matches() ? " at " + hosts.group(1) : "");
    }

    /** Returns a driver's URL once for each of its hosts, with that as the first; as it is where it tells none. */
    static List<String> byHost(String url) {
        Matcher parts = HOSTS.matcher(url);
        if (!parts.matches()) {
            return List.of(url);
        }
        List<String> hosts = new ArrayList<>(List.of(parts.group(1).split(",")));
        List<String> urls = new ArrayList<>();
        while (urls.size() < hosts.size()) {
            urls.add(url.substring(0, parts.start(1)) + String.join(",", hosts) + url.substring(parts.end(1)));
            Collections.rotate(hosts, -1);
        }
        return urls;
    }

    /** Returns whether all hosts of a driver's URL are the machine itself. */
    static boolean isLocal(@Nullable String url) {
        return url != null && LOCAL.matcher(url).matches();
    }

    /**
     * Refuses a user and a password before the host, which PostgreSQL's driver knows nothing of: it asks the name servers for
     * them, and logs what it takes for a port, or a URL without a slash, or with a second one, as a whole.
     */
    private static void refuseLogin(String url) {
        Matcher hosts = POSTGRES_HOSTS.matcher(url);
        if (!hosts.matches()) {
            return;
        } else if (hosts.group(1).contains("@")) {
            throw Settings.wrong("has a user before the host, which PostgreSQL's driver does not take: write"
                    + " jdbc:postgresql://HOST/DATABASE?user=USER&password=PASSWORD");
        } else if (hosts.group(2).isEmpty() && !hosts.group(1).isEmpty()) { // one of no host may name a service
            throw Settings.wrong("has no / behind the host: write jdbc:postgresql://HOST[:PORT]/DATABASE");
        } else if (hosts.group(3).contains("/")) {
            throw Settings.wrong(
                    "has a second /: write jdbc:postgresql://HOST[:PORT]/DATABASE, a / in a name as %2F, and"
                            + " user and password as ?user=USER&password=PASSWORD behind that");
        } else if (!POSTGRES_PORTS.matcher(hosts.group(1)).matches()) {
            throw Settings.wrong(
                    "has a port that is no number: write jdbc:postgresql://HOST[:PORT]/DATABASE, and user and"
                            + " password as ?user=USER&password=PASSWORD behind that");
        }
    }

    /** Refuses a database that only the connection sees that has made it: it is of no use to locks. */
    private static void refusePrivate(String url) {
        Matcher h2 = H2_MEMORY.matcher(url);
        if (h2.matches() && h2.group(1).isEmpty()) {
            throw Settings.wrong("names a database in memory that each connection has for itself: give it a name,"
                    + " as in jdbc:h2:mem:NAME;DB_CLOSE_DELAY=-1");
        } else if (url.startsWith("jdbc:sqlite:") && SqliteFiles.isPrivate(url)) {
            throw Settings.wrong("names a database in memory that each connection has for itself: name a file instead");
        }
    }
}
