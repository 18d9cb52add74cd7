package io.belay.cli.inspect;

import io.belay.servers.ChildJvm;
import io.belay.servers.Premise;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** A client of a ring, as the test sees it. */
final class RingParty implements AutoCloseable {
    /** Processes that were clients of a store, and may be those of another. */
    private static final Queue<ChildJvm> SPARE = new ConcurrentLinkedQueue<>();

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
                if (url.startsWith("memory:")) {
                    parties.add(new RingParty(name, new RingClient(url, name), null));
                } else {
                    ChildJvm spare = SPARE.poll();
                    ChildJvm child = spare != null ? spare : ChildJvm.start(RingClient.class);
                    parties.add(new RingParty(name, null, child));
                    child.say("connect " + url + " " + name);
                }
            }
            for (RingParty party : parties) {
                party.hears("connected");
            }
            return parties;
        } catch (IOException | RuntimeException e) {
            end(parties);
            throw e;
        }
    }

    static void end(List<RingParty> parties) {
        Collections.reverse(parties);
        parties.forEach(RingParty::close);
    }

    /** Ends the clients, of whose processes all are alive and listen; those are the next ones that are started. */
    static void endClients(List<RingParty> parties) throws IOException {
        for (RingParty party : parties) {
            if (party.child == null) {
                party.close();
            } else {
                party.child.say("close");
            }
        }
        for (RingParty party : parties) {
            if (party.child != null) {
                party.hears("closed");
                SPARE.add(party.child);
            }
        }
    }

    /** Ends what is left of them. */
    static void endSpare() {
        for (ChildJvm child = SPARE.poll(); child != null; child = SPARE.poll()) {
            child.close();
        }
    }

    private void hears(String expected) throws IOException {
        if (child == null) {
            return;
        }
        String heard = child.line();
        if (heard == null || !answered(expected, heard).equals(expected)) {
            throw new IOException(client + " is not " + expected + " but says " + heard);
        }
    }

    String ask(String question) throws IOException {
        return answered(
                question, inside != null ? inside.answer(question) : process().ask(question));
    }

    private String answered(String question, String answer) throws IOException {
        String told = client + ": " + question + ": " + answer;
        Premise.check(!answer.startsWith(RingClient.LATE), told);
        if (answer.startsWith(RingClient.FAILED)) {
            throw new IOException(told);
        }
        return answer;
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
