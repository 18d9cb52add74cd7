package io.belay.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random resources and requests, for the tests of stores. */
public final class RandomStates {
    private static final String[] TEXTS = {"", "a", "thread-1", "Käse", "日本語".repeat(30), "x".repeat(200), "\0\n"};

    private final Random random;

    public RandomStates(long seed) {
        random = new Random(seed);
    }

    public int below(int bound) {
        return random.nextInt(bound);
    }

    public Resource resource() {
        int size = random.nextInt(8);
        List<Claim> claims = new ArrayList<>();
        long sequence = 0;
        for (int i = 0; i < size; i++) {
            sequence += 1 + random.nextInt(1000);
            claims.add(Claim.of(
                            new ClaimId(random.nextLong(), random.nextLong()),
                            1 + random.nextInt(Integer.MAX_VALUE),
                            sequence,
                            random.nextLong(),
                            owner())
                    .withFixedLease(random.nextLong())
                    .withPending(random.nextBoolean())
                    .withReweights(random.nextInt())
                    .withEntered(random.nextLong())
                    .withLocalWaiters(random.nextInt())
                    .withSticky(random.nextBoolean()));
        }
        List<Resource.Tombstone> tombstones = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            tombstones.add(
                    new Resource.Tombstone(new ClaimId(random.nextLong(), random.nextLong()), random.nextLong()));
        }
        return new Resource(
                sequence + random.nextInt(10),
                random.nextInt(Integer.MAX_VALUE),
                random.nextBoolean(),
                claims,
                random.nextInt(size + 1),
                tombstones,
                random.nextLong());
    }

    private Owner owner() {
        return new Owner(text(), text(), random.nextLong(), text());
    }

    private String text() {
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    /** A request about one of few names and one of few claims of a client, so that much of it bites. */
    public Request request(long client, Resource state, String name) {
        ClaimId id = new ClaimId(client, 1 + random.nextInt(6));
        long sequence = random.nextInt(5) == 0
                ? random.nextInt(3)
                : state.claims().stream()
                        .filter(claim -> claim.id().equals(id))
                        .mapToLong(Claim::sequence)
                        .findFirst()
                        .orElse(0);
        long lease = 1L + random.nextInt(5_000_000);
        return switch (random.nextInt(13)) {
            case 0, 1, 2, 3 ->
                new Request.Enter(
                        name,
                        id,
                        ClaimSpec.of(random.nextInt(10) == 0 ? 2 : 3, 1 + random.nextInt(3), lease)
                                .withFixedLease(random.nextInt(4) == 0 ? lease : 0)
                                .withIfFree(random.nextInt(4) == 0)
                                .withSticky(random.nextBoolean()),
                        random.nextInt(3),
                        owner(),
                        random.nextInt(4) == 0 ? 1 + random.nextInt(1_000_000) : 0);
            case 4, 5 -> new Request.Leave(name, id, random.nextInt(3) == 0);
            case 6, 7 -> new Request.Renew(name, id, sequence, lease, random.nextInt(3), random.nextBoolean());
            case 8 -> new Request.Yield(name, id, sequence, lease, random.nextInt(3));
            case 9 -> new Request.Reweight(name, id, sequence, random.nextInt(2), 1 + random.nextInt(3));
            case 10 -> new Request.Skip(name, id, sequence);
            case 11 -> new Request.Fix(name, id, sequence, random.nextInt(3), lease);
            default -> random.nextInt(4) > 0 ? new Request.Evict(name) : new Request.Resize(name, random.nextInt(4));
        };
    }
}
