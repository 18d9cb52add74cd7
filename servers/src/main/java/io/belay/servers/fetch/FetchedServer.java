package io.belay.servers.fetch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A server in the user's cache, or the reason why it is not there. It is looked for once per JVM, and downloaded where
 * {@code BELAY_FETCH_SERVERS} is {@code true}, with a line on standard error.
 */
public final class FetchedServer {
    private static final Map<DebianServer, FetchedServer> FOUND = new EnumMap<>(DebianServer.class);

    private final DebianServer server;
    private final @Nullable Path root;
    private final String whyNot;

    private FetchedServer(DebianServer server, @Nullable Path root, String whyNot) {
        this.server = server;
        this.root = root;
        this.whyNot = whyNot;
    }

    /** Looks for the server, and fetches it if that is allowed. */
    public static FetchedServer of(DebianServer server) {
        synchronized (FOUND) {
            FetchedServer found = FOUND.get(server);
            if (found == null) {
                Map<String, String> environment = System.getenv();
                ServerCache cache = ServerCache.ofUser(environment, System.getProperty("user.home"));
                found = find(server, cache, environment);
                FOUND.put(server, found);
                if (!found.isThere()) {
                    say(found.whyNot);
                }
            }
            return found;
        }
    }

    /** The server that {@code BELAY_SERVERS} names for these programs; empty if the machine's own are to run. */
    public static Optional<FetchedServer> chosenFor(String... programs) {
        return DebianServer.parse(System.getenv().getOrDefault("BELAY_SERVERS", "")).stream()
                .filter(server -> List.of(programs).stream()
                        .allMatch(program -> server.path(program).isPresent()))
                .findFirst()
                .map(FetchedServer::of);
    }

    static FetchedServer find(DebianServer server, ServerCache cache, Map<String, String> environment) {
        if (!cache.has(server.id()) && !"true".equals(environment.get("BELAY_FETCH_SERVERS"))) {
            return absent(
                    server,
                    server.title() + " is not in " + cache.path(server.id())
                            + ": BELAY_FETCH_SERVERS=true has it downloaded from Debian's " + server.suite());
        }
        try {
            String path = environment.getOrDefault("PATH", "");
            Fetching fetching = new Fetching(server, Path.of("/etc/apt"), path, FetchedServer::say);
            return new FetchedServer(server, cache.get(server.id(), fetching), "");
        } catch (IOException e) {
            return absent(server, "cannot fetch " + server.title() + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return absent(server, "fetching " + server.title() + " was interrupted");
        }
    }

    private static FetchedServer absent(DebianServer server, String whyNot) {
        return new FetchedServer(server, null, whyNot);
    }

    @SuppressWarnings("SystemOut") // for whoever started the tests
    private static void say(String line) {
        System.err.println("belay: " + line);
    }

    public boolean isThere() {
        return root != null;
    }

    /** Returns one line that says why the server is not there, and what to do; empty if it is. */
    public String whyNot() {
        return whyNot;
    }

    /**
     * Returns the directory that holds the server's files as {@code /} would.
     *
     * @throws IllegalStateException if the server is not there
     */
    public Path root() {
        if (root == null) {
            throw new IllegalStateException(whyNot);
        }
        return root;
    }

    /** Returns the path of one of the server's programs. @throws IllegalStateException if it is not there */
    public Path program(String name) {
        return root().resolve(server.path(name)
                .orElseThrow(() -> new IllegalArgumentException(server.title() + " has no program " + name)));
    }
}
