package io.belay.servers.fetch;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A server that can be fetched. A stable suite is named where it has the version, as unstable's moves on; but its etcd 3.5 is one
 * that nobody should use with users, and asks for their logins elsewhere.
 */
public enum DebianServer {
    MYSQL_9_7(
            "MySQL",
            "9.7",
            "unstable",
            List.of("mysql-server-core", "mysql-client-core"),
            "usr/sbin/mysqld",
            "usr/bin/mysql"),
    POSTGRESQL_18(
            "PostgreSQL",
            "18",
            "unstable",
            List.of("postgresql-18"),
            "usr/lib/postgresql/18/bin/initdb",
            "usr/lib/postgresql/18/bin/postgres"),
    MARIADB_11_8(
            "MariaDB",
            "11.8",
            "trixie",
            List.of("mariadb-server-core", "mariadb-client-core"),
            "usr/bin/mariadb-install-db",
            "usr/bin/my_print_defaults",
            "usr/bin/resolveip",
            "usr/sbin/mariadbd"),
    REDIS_8_0("Redis", "8.0", "trixie", List.of("redis-server"), "usr/bin/redis-server"),
    VALKEY_9("Valkey", "9", "unstable", List.of("valkey-server"), "usr/bin/valkey-server"),
    ETCD_3_5("etcd", "3.5", "unstable", List.of("etcd-server"), "usr/bin/etcd");

    private final String product;
    private final String version;
    private final String suite;
    private final List<String> packages;
    private final List<String> programs;

    DebianServer(String product, String version, String suite, List<String> packages, String... programs) {
        this.product = product;
        this.version = version;
        this.suite = suite;
        this.packages = packages;
        this.programs = List.of(programs);
    }

    /** {@code mysql-9.7}: the name of its directory, and its name in {@code BELAY_SERVERS}. */
    public String id() {
        return product.toLowerCase(Locale.ROOT) + "-" + version;
    }

    /** {@code MySQL 9.7}. */
    public String title() {
        return product + " " + version;
    }

    String suite() {
        return suite;
    }

    /** The packages to ask for, the one that has the server's version first. */
    List<String> packages() {
        return packages;
    }

    /** The programs that are started, as paths in its directory. */
    List<String> programs() {
        return programs;
    }

    /** Returns whether a version of Debian's package is one of this server's: {@code 1:11.8.9-4} is one of 11.8. */
    boolean matches(String debianVersion) {
        String upstream = debianVersion.substring(debianVersion.indexOf(':') + 1);
        return upstream.startsWith(version + ".");
    }

    /** The path of this program in its directory. */
    Optional<String> path(String program) {
        return programs.stream().filter(path -> path.endsWith("/" + program)).findFirst();
    }

    /**
     * The servers of such a list: {@code postgresql-18,redis-8.0}.
     *
     * @throws IllegalArgumentException if it names another
     */
    static List<DebianServer> parse(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .filter(id -> !id.isEmpty())
                .map(DebianServer::of)
                .toList();
    }

    private static DebianServer of(String id) {
        return Arrays.stream(values())
                .filter(server -> server.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no server " + id + " to fetch, only "
                        + Arrays.stream(values()).map(DebianServer::id).collect(Collectors.joining(", "))));
    }
}
