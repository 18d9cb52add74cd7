package io.belay.redis;

import io.belay.server.ClientVersion;
import io.belay.servers.RedisServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The way of clients, each with a user of its own, from one server to another, of which none is to come back. */
final class Move {
    private static final Pattern CONNECTION = Pattern.compile("id=(\\d+) .* user=(\\S+) .*");

    /** How often a look may be ended in a row: each sentinel does so to all connections when it makes a server a replica. */
    private static final int ENDS = 3;

    /** A connection; the later, the higher its id. */
    record Connection(long id, String user) {}

    private final RedisServer from;
    private final RedisServer to;
    /** For each user that has been seen there, the highest id that a connection to the first server had right after that. */
    private final Map<String, Long> arrived = new HashMap<>();

    private final List<Connection> returned = new ArrayList<>();

    Move(RedisServer from, RedisServer to) {
        this.from = from;
        this.to = to;
    }

    /** Looks at both servers. Returns whether all are at the second one, and none at the first. */
    boolean isOver(Set<String> users) throws IOException {
        Set<String> there = connections(to).stream().map(Connection::user).collect(Collectors.toSet());
        long last = all(from).mapToLong(Connection::id).max().orElse(0); // this look's own
        List<Connection> left = connections(from);
        left.stream()
                .filter(connection -> connection.id() > arrived.getOrDefault(connection.user(), Long.MAX_VALUE))
                .forEach(returned::add);
        there.forEach(user -> arrived.putIfAbsent(user, last));
        return left.isEmpty() && there.containsAll(users);
    }

    /** Returns the connections to the first server that were begun after their user had been seen at the second. */
    List<Connection> returned() {
        return returned;
    }

    /** Returns the connections of Belay's clients to a server. */
    static List<Connection> connections(RedisServer server) throws IOException {
        String label = " name=" + ClientVersion.label() + " ";
        return parse(lines(server).filter(line -> line.contains(label))).toList();
    }

    private static Stream<Connection> all(RedisServer server) throws IOException {
        return parse(lines(server));
    }

    private static Stream<String> lines(RedisServer server) throws IOException {
        for (int again = ENDS; ; again--) {
            try {
                return server.command("CLIENT", "LIST").lines();
            } catch (IOException e) { // a server that is given another master hangs up on all
                if (again == 0) {
                    throw e;
                }
            }
        }
    }

    private static Stream<Connection> parse(Stream<String> lines) {
        return lines.map(CONNECTION::matcher)
                .filter(Matcher::matches)
                .map(match -> new Connection(Long.parseLong(match.group(1)), match.group(2)));
    }
}
