package io.belay.cli.inspect;

import io.belay.servers.ChildJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client of a ring, as the test sees it. */
final class RingParty implements AutoCloseable {
    final String client;
    private final @Nullable RingClient inside;
    private final @Nullable ChildJvm child;

    private RingParty(String client, @Nullable RingClient inside, @Nullable ChildJvm child) {
        this.client = client;
        this.inside = inside;
        this.child = child;
    }

    /** Starts so many clients, each in a process of its own unless the store knows but one. */
    static List<RingParty> start(String url, int number) throws IOException {
        List<RingParty> parties = new ArrayList<>();
        try {
            for (int i = 0; i < number; i++) {
                String name = "client-" + i;
                parties.add(
                        url.startsWith("memory:")
                                ? new RingParty(name, new RingClient(url, name), null)
                                : new RingParty(name, null, ChildJvm.start(RingClient.class, url, name)));
            }
            for (RingParty party : parties) {
                if (party.child != null && !"connected".equals(party.child.line())) {
                    throw new IOException(party.client + " did not connect; it says why above");
                }
            }
            return parties;
        } catch (IOException e) {
            end(parties);
            throw e;
        }
    }

    static void end(List<RingParty> parties) {
        Collections.reverse(parties);
        parties.forEach(RingParty::close);
    }

    String ask(String question) throws Exception {
        return inside != null ? inside.answer(question) : process().ask(question);
    }

    ChildJvm process() {
        if (child == null) {
            throw new IllegalStateException("it is in this process");
        }
        return child;
    }

    long pid() {
        return child == null ? ProcessHandle.current().pid() : child.process.pid();
    }

    @Override
    public void close() {
        if (child != null) {
            child.close();
        }
        if (inside != null) {
            inside.close();
        }
    }
}
