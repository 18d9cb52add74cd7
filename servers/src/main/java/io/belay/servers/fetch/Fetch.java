package io.belay.servers.fetch;

import java.util.List;
import java.util.stream.Stream;

/** Fetches servers ahead of the tests: its arguments are such names as {@code redis-8.0}. */
final class Fetch {
    /** The exit code that scripts take for "skipped". */
    private static final int SKIPPED = 77;

    private Fetch() {}

    /** Prints where each server lies. Ends with 77 if one cannot be had, of which there is a line on standard error. */
    public static void main(String... names) {
        List<FetchedServer> servers = Stream.of(names)
                .flatMap(name -> DebianServer.parse(name).stream())
                .map(FetchedServer::of)
                .toList();
        servers.stream().filter(FetchedServer::isThere).forEach(server -> System.out.println(server.root()));
        System.exit(servers.stream().allMatch(FetchedServer::isThere) ? 0 : SKIPPED);
    }
}
