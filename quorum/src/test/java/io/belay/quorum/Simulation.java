package io.belay.quorum;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Three clients and five members, of which two at a time hang, crash, come back empty, or forget everything without
 * anybody noticing. Checks that no two clients believe that they hold the lock, that nobody gets it before the end that a
 * client has fixed and then died, that tokens rise, and that all who wait have it in turn once nothing goes wrong for a while.
 */
final class Simulation {
    static final int MEMBERS = 5;
    static final Duration LEASE = Duration.ofSeconds(3);
    /** After how many steps nothing goes wrong for a while. */
    private static final int UNTIL_CALM = 200;
    /** For how long, in thirds of a lease: longer than any fault, and until each had had its turn by the latest of its alarms. */
    private static final int CALM = 16;

    private final SimClock clock = new SimClock();
    private final Random random;
    private final int majority;
    private final QuorumUrl url;
    private final List<FakeMember> members = new ArrayList<>();
    private final long[] faultyUntil = new long[MEMBERS];
    private final List<SimClient> clients = new ArrayList<>();
    /** Those that have died after they fixed the ends of their claims. */
    private final List<SimClient> dead = new ArrayList<>();

    private long clientNumbers;
    private long highest;
    private int grants;
    private String violation = "";

    Simulation(long seed, FakeMember.Lie lie, int majority) {
        random = new Random(seed);
        this.majority = majority;
        List<String> urls = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            members.add(new FakeMember(clock, random, random.nextInt(1_200_000), lie));
            urls.add("fake:" + i);
        }
        url = new QuorumUrl(urls, LEASE, Duration.ofMillis(200));
        for (int i = 0; i < 3; i++) {
            clients.add(client());
        }
    }

    private SimClient client() {
        return new SimClient(++clientNumbers, clock, random, url, majority, members, this::granted);
    }

    private void granted(SimClient client) {
        grants++;
        for (SimClient other : Stream.concat(clients.stream(), dead.stream()).toList()) {
            if (other != client && other.isHeld() && client.isHeld()) {
                violate("the clients " + other.number + " and " + client.number + " both hold it");
            }
        }
        if (client.token() <= highest) {
            violate("the token " + client.token() + " comes after " + highest);
        }
        highest = client.token();
    }

    private void violate(String what) {
        if (violation.isEmpty()) {
            violation = what + ", after " + grants + " grants";
        }
    }

    /** Returns what went wrong, or an empty text. */
    String run(int steps) {
        clock.run(LEASE.toMillis() + 1_000); // all members are new
        for (int i = 0; i < steps && violation.isEmpty(); i++) {
            act(random.nextInt(clients.size()));
            if (random.nextInt(10) == 0) {
                fault(random.nextInt(MEMBERS));
            }
            clock.run(random.nextInt(4) == 0 ? random.nextInt(400) : random.nextInt(20));
            if (i % UNTIL_CALM == UNTIL_CALM - 1) {
                calm();
            }
        }
        return violation;
    }

    /** Whoever has it ends without a word, so that nobody hears of that; then nothing goes wrong, and whoever has it gives it back. */
    private void calm() {
        for (int i = 0; i < clients.size(); i++) {
            if (clients.get(i).isHeld()) {
                die(i);
            }
        }
        for (int i = 0; i < CALM; i++) {
            for (SimClient client : clients) {
                if (client.isHeld()) {
                    client.leave();
                } else if (!client.isIdle()) {
                    client.renew(false); // as the engine does
                }
            }
            clock.run(LEASE.toMillis() / 3);
        }
        for (SimClient client : clients) {
            if (!client.isIdle() && !client.isHeld()) {
                violate("the client " + client.number + " waits for what nobody has");
            }
        }
    }

    private void act(int i) {
        SimClient client = clients.get(i);
        if (client.wasRefused()) {
            violate("the client " + client.number + " was refused");
        }
        if (client.isIdle()) {
            client.enter(random.nextInt(3) == 0);
        } else if (client.isHeld()) {
            switch (random.nextInt(client.isToBeFixed() ? 20 : 8)) {
                case 0 -> {
                    if (!client.isToBeFixed()) {
                        client.yield();
                    }
                }
                case 1 -> client.renew(true);
                case 2, 3 -> client.leave();
                case 4 -> client.describe(SimClient.OWNER.withThread("t" + i, ""));
                case 5 -> client.fix(1 + random.nextInt((int) (LEASE.toNanos() / 1000)));
                default -> {}
            }
        } else if (random.nextInt(60) == 0) {
            client.leave();
        }
        if (random.nextInt(60) == 0) {
            if (!client.isHeld() || client.isFixed()) {
                die(i);
            }
        }
    }

    /** A client ends without a word, and another one comes, which knows nothing. */
    private void die(int i) {
        SimClient client = clients.get(i);
        client.store.close();
        clients.set(i, client());
        dead.add(client);
        dead.removeIf(one -> !one.isHeld());
    }

    private void fault(int i) {
        long now = clock.nanos();
        int faulty = 0;
        for (long until : faultyUntil) {
            faulty += until > now ? 1 : 0;
        }
        FakeMember member = members.get(i);
        if (faulty >= MEMBERS / 2 || faultyUntil[i] > now) {
            return;
        }
        long down = random.nextInt(2_000) * 1_000_000L;
        long quarantine = LEASE.toNanos() + 1_000_000_000L;
        switch (random.nextInt(6)) {
            case 0 -> {
                member.hang();
                faultyUntil[i] = now + down + 1_000_000;
                clock.later(down, member::resume);
            }
            case 1, 2, 3 -> {
                member.flush();
                faultyUntil[i] = now + quarantine;
            }
            default -> {
                member.crash();
                faultyUntil[i] = now + down + quarantine;
                clock.later(down, member::restart);
            }
        }
    }

    int grants() {
        return grants;
    }
}
