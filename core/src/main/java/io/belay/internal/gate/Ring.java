package io.belay.internal.gate;

import io.belay.Deadlock;
import io.belay.internal.claim.Shown;
import io.belay.internal.machine.Machine;
import io.belay.spi.Owner;
import io.belay.support.OneLine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A deadlock as users see it.
 *
 * @param ring its threads
 * @param permits whether permits are part of it
 */
record Ring(List<Edge> ring, boolean permits) implements Deadlock {
    /** Makes what the links of a ring tell, for the client of that number. */
    static Ring of(List<Rings.Link> links, long client) {
        Optional<Rings.Caller> victim = Rings.victims(links).stream().findFirst();
        List<Edge> edges =
                links.stream().<Edge>map(link -> Part.of(link, client, victim)).toList();
        return new Ring(edges, links.stream().anyMatch(Rings.Link::permits));
    }

    /** Returns the ring in one line, whatever its threads are called. */
    String line() {
        return OneLine.printable(ring.stream().map(Ring::line).collect(Collectors.joining("; ")));
    }

    private static String line(Edge edge) {
        return (edge.own() ? "this client" : "client " + edge.client()) + " (process " + edge.process() + " on "
                + edge.host() + ", " + ReportText.who(edge.thread(), edge.behalf()) + ") holds '" + edge.holds()
                + "' (token " + edge.token() + ", for " + edge.held().toMillis() + " ms) and has waited for '"
                + edge.waitsFor() + "' for " + edge.waited().toMillis() + " ms"
                + (edge.victim() ? ", and gives up" : "");
    }

    /** A thread of it. */
    private record Part(
            String client,
            String host,
            long process,
            String thread,
            String behalf,
            String holds,
            long token,
            Duration held,
            String waitsFor,
            Duration waited,
            boolean victim,
            boolean own)
            implements Edge {
        static Part of(Rings.Link link, long client, Optional<Rings.Caller> victim) {
            Owner owner = link.owner();
            return new Part(
                    owner.client(),
                    owner.host(),
                    owner.process(),
                    owner.thread(),
                    owner.namedBehalf(),
                    link.lock(),
                    Machine.firstToken(link.sequence()),
                    Shown.micros(owner.since() == 0 ? 0 : link.time() - owner.since()),
                    link.note().waitsFor(),
                    Shown.micros(link.time() - link.note().since()),
                    victim.equals(Optional.of(link.caller())),
                    link.claim().client() == client);
        }
    }
}
