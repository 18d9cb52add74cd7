package io.belay.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.Stalls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A ring in which the thread of each client holds one lock and waits for the next one's. It is made, broken by one who gives up,
 * and undone by all others in their turn.
 */
final class StagedRing {
    /** The ways of holding and of waiting, as the clients call them. */
    enum Kind {
        LOCKS("lock", "lock", ""),
        READ_WRITE("read", "write", ""),
        STICKY("sticky", "sticky", ""),
        REENTRANT("reentrant", "reentrant", ""),
        MULTI("multi", "multi", "-1");

        final String holds;
        final String waits;
        /** What follows the name of the lock that is told of. */
        final String suffix;

        Kind(String holds, String waits, String suffix) {
            this.holds = holds;
            this.waits = waits;
            this.suffix = suffix;
        }
    }

    /** An edge as a client tells of it. */
    record Told(String[] parts) {
        static List<Told> of(String ring) {
            return Arrays.stream(ring.split("\\|"))
                    .map(edge -> new Told(edge.split(",", -1)))
                    .toList();
        }

        String client() {
            return parts[0];
        }

        String host() {
            return parts[1];
        }

        long process() {
            return Long.parseLong(parts[2]);
        }

        String thread() {
            return parts[3];
        }

        String behalf() {
            return parts[4];
        }

        String holds() {
            return parts[5];
        }

        String token() {
            return parts[6];
        }

        long held() {
            return Long.parseLong(parts[7]);
        }

        String waitsFor() {
            return parts[8];
        }

        long waited() {
            return Long.parseLong(parts[9]);
        }

        boolean victim() {
            return Boolean.parseBoolean(parts[10]);
        }

        boolean own() {
            return Boolean.parseBoolean(parts[11]);
        }

        boolean permits() {
            return Boolean.parseBoolean(parts[12]);
        }
    }

    private final List<RingParty> parties;
    private final Kind kind;
    private final String name;
    private final List<String> tokens = new ArrayList<>();

    private StagedRing(List<RingParty> parties, Kind kind, String name) {
        this.parties = parties;
        this.kind = kind;
        this.name = name;
    }

    /** Makes it, in the order of the clients, or those who hold and wait twice. */
    static StagedRing of(List<RingParty> parties, Kind kind, String name) throws Exception {
        StagedRing ring = new StagedRing(parties, kind, name);
        for (int i = 0; i < parties.size(); i++) {
            ring.tokens.add(ring.ask(i, "take", kind.holds + " " + ring.lock(i)));
        }
        for (int i = 0; i < parties.size(); i++) {
            ring.ask(i, "want", kind.waits + " " + ring.lock(i + 1));
        }
        return ring;
    }

    private String lock(int i) {
        return name + "-" + i % parties.size();
    }

    private String thread(int i) {
        return name + "-thread-" + i;
    }

    private String ask(int i, String what, String more) throws Exception {
        return parties.get(i).ask((what + " " + thread(i) + " " + more).trim());
    }

    private List<String> states() throws Exception {
        List<String> states = new ArrayList<>();
        for (int i = 0; i < parties.size(); i++) {
            states.add(ask(i, "state", ""));
        }
        return states;
    }

    private boolean isBroken() throws Exception {
        return states().stream().anyMatch(state -> !state.equals("waits"));
    }

    /** Waits until one gives up, and checks that it is one, in time, and that all tell the same; then undoes it. */
    void breaks(Stalls stalls) throws Exception {
        await().until(this::isBroken);
        List<String> states = states();
        List<String> gaveUp =
                states.stream().filter(state -> state.startsWith("gave-up")).toList();
        if (judge(stalls, gaveUp.size() == 1, name + ": one gives up, and not more: " + states)) {
            int victim = states.indexOf(gaveUp.get(0));
            long took = Long.parseLong(gaveUp.get(0).split(" ")[1]);
            judge(
                    stalls,
                    stalls.given(took) <= 2_500,
                    name + ": one gives up within 2.5 s, and not after " + took + " ms");
            assertThat(gaveUp.get(0)).contains("'" + lock(victim + 1) + kind.suffix + "'");
            for (int i = 0; i < parties.size(); i++) {
                List<String> told = told(i);
                String what = name + ": client " + i + " tells it once, before one gives up: " + told;
                if (judge(stalls, told.size() == 1, what)) {
                    check(told.get(0), i, victim, stalls);
                }
            }
        }
        undo();
    }

    /** Checks something that takes a machine which lets its processes run; returns whether it is so. */
    static boolean judge(Stalls stalls, boolean holds, String what) {
        if (!holds && stalls.areMany()) {
            System.out.println("belay: not judged on this machine: " + what + ", " + stalls);
            return false;
        }
        assertThat(holds).as("%s, %s", what, stalls).isTrue();
        return true;
    }

    private List<String> told(int i) throws Exception {
        String told = parties.get(i).ask("told " + name + "-");
        List<String> own = new ArrayList<>();
        for (String one : told.split(";")) {
            // A client that is part of it twice tells it for each of its threads.
            if (!one.isEmpty() && one.split("\\|")[one.split("\\|").length - 1].contains("," + thread(i) + ",")) {
                own.add(one);
            }
        }
        return own;
    }

    /** Checks each field of what the client of that number has told. */
    private void check(String told, int teller, int victim, Stalls stalls) {
        List<Told> edges = Told.of(told);
        assertThat(edges).hasSize(parties.size());
        String host = edges.get(0).host();
        assertThat(host).isNotEmpty();
        for (int k = 0; k < edges.size(); k++) {
            int i = (teller + 1 + k) % parties.size(); // the first holds what the teller waits for
            Told edge = edges.get(k);
            assertThat(edge.client()).isEqualTo(parties.get(i).client);
            assertThat(edge.host()).isEqualTo(host);
            assertThat(edge.process()).isEqualTo(parties.get(i).pid());
            assertThat(edge.thread()).isEqualTo(thread(i));
            assertThat(edge.behalf()).isEmpty();
            assertThat(edge.holds()).isEqualTo(lock(i) + kind.suffix);
            assertThat(edge.token()).isEqualTo(tokens.get(i));
            assertThat(edge.waitsFor()).isEqualTo(lock(i + 1) + kind.suffix);
            assertThat(edge.held()).as("held: %s", told).isPositive();
            // The store's time is known but to a round trip.
            judge(stalls, edge.waited() >= 900 && edge.waited() <= 4_000, name + ": waited for " + edge.waited());
            judge(stalls, edge.victim() == (i == victim), name + ": who is to give up: " + told);
            assertThat(edge.own()).isEqualTo(parties.get(i).client.equals(parties.get(teller).client));
            assertThat(edge.permits()).isFalse();
        }
    }

    /** Has the one who gave up let go, and then each who comes to hold by that, so that all others proceed. */
    private void undo() {
        Set<Integer> left = new HashSet<>();
        for (int i = 0; i < parties.size(); i++) {
            left.add(i);
        }
        await().until(() -> {
            for (int i : List.copyOf(left)) {
                if (!ask(i, "state", "").equals("waits")) {
                    ask(i, "release", "");
                    left.remove(i);
                }
            }
            return left.isEmpty();
        });
    }

    /** Waits until that thread gives up, though another was to do so first. */
    static void next(RingParty party, String thread, long within, Stalls stalls) throws Exception {
        await().until(() -> party.ask("state " + thread).startsWith("gave-up"));
        long took = Long.parseLong(party.ask("state " + thread).split(" ")[1]);
        judge(
                stalls,
                stalls.given(took) <= within,
                thread + " gives up within " + within + " ms, and not after " + took + " ms");
    }
}
