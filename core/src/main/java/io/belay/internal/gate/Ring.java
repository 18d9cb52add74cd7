package io.belay.internal.gate;

import io.belay.Deadlock;
import io.belay.internal.machine.Machine;
import io.belay.spi.Owner;
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
    Ring {
        ring = List.copyOf(ring);
    }

    /** Makes what the links of a ring tell, for the client of that number. */
    static Ring of(List<Rings.Link> links, long client) {
        Optional<Rings.Caller> victim = Rings.victims(links).stream().findFirst();
        List<Edge> edges =
                links.stream().<Edge>map(link -> part(link, client, victim)).toList();
        return new Ring(edges, links.stream().anyMatch(Rings.Link::permits));
    }

    /** Makes the ring of a thread that waits for what it holds itself, for so many nanoseconds. */
    static Ring itself(Owner owner, String lock, long token, long held, boolean victim) {
        return new Ring(
                List.of(new Part(
                        owner, lock, token, Duration.ofNanos(held), new Wait(lock, Duration.ZERO), victim, true)),
                false);
    }

    private static Part part(Rings.Link link, long client, Optional<Rings.Caller> victim) {
        long since = link.owner().since();
        return new Part(
                link.owner(),
                link.lock(),
                Machine.firstToken(link.sequence()),
                micros(since == 0 ? 0 : link.time() - since),
                new Wait(
                        link.note().waitsFor(), micros(link.time() - link.note().since())),
                victim.equals(Optional.of(link.caller())),
                link.claim().client() == client);
    }

    private static Duration micros(long micros) {
        return Duration.ofMillis(Math.max(0, micros) / 1000);
    }

    /** Returns the ring in one line. */
    String line() {
        return ring.stream().map(Ring::line).collect(Collectors.joining("; "));
    }

    private static String line(Edge edge) {
        return (edge.own() ? "this client" : "client " + edge.client()) + " (process " + edge.process() + " on "
                + edge.host() + ", " + ReportText.who(edge.thread(), edge.behalf()) + ") holds '" + edge.holds()
                + "' (token " + edge.token() + ", for " + edge.held().toMillis() + " ms) and has waited for '"
                + edge.waitsFor() + "' for " + edge.waited().toMillis() + " ms"
                + (edge.victim() ? ", and gives up" : "");
    }

    /** A wait for a lock. */
    private record Wait(String lock, Duration waited) {}

    /** A thread of it. */
    private record Part(Owner owner, String holds, long token, Duration held, Wait awaited, boolean victim, boolean own)
            implements Edge {
        @Override
        public String client() {
            return owner.client();
        }

        @Override
        public String host() {
            return owner.host();
        }

        @Override
        public long process() {
            return owner.process();
        }

        @Override
        public String thread() {
            return owner.thread();
        }

        @Override
        public String behalf() {
            return owner.namedBehalf();
        }

        @Override
        public String waitsFor() {
            return awaited.lock;
        }

        @Override
        public Duration waited() {
            return awaited.waited;
        }
    }
}
