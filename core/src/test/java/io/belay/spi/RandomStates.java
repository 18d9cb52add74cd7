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
                            ClaimId.of(random.nextLong(), random.nextLong()),
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
            tombstones.add(Resource.Tombstone.of(ClaimId.of(random.nextLong(), random.nextLong()), random.nextLong()));
        }
        return Resource.of(sequence + random.nextInt(10), random.nextInt(Integer.MAX_VALUE))
                .withResized(random.nextBoolean())
                .withClaims(claims, random.nextInt(size + 1))
                .withTombstones(tombstones)
                .withKeepUntil(random.nextLong());
    }

    private Owner owner() {
        return Owner.of(text(), text(), random.nextLong(), text());
    }

    private String text() {
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    /** A request about one of few names and one of few claims of a client, so that much of it bites. */
    public Request request(long client, Resource state, String name) {
        ClaimId id = ClaimId.of(client, 1 + random.nextInt(6));
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
                Request.Enter.of(
                                name,
                                id,
                                ClaimSpec.of(random.nextInt(10) == 0 ? 2 : 3, 1 + random.nextInt(3), lease)
                                        .withFixedLease(random.nextInt(4) == 0 ? lease : 0)
                                        .withIfFree(random.nextInt(4) == 0)
                                        .withSticky(random.nextBoolean()),
                                random.nextInt(3),
                                owner())
                        .withProposed(random.nextInt(4) == 0 ? 1 + random.nextInt(1_000_000) : 0);
            case 4, 5 -> Request.Leave.of(name, id, random.nextInt(3) == 0);
            case 6, 7 -> Request.Renew.of(name, id, sequence, lease, random.nextInt(3), random.nextBoolean());
            case 8 -> Request.Yield.of(name, id, sequence, lease, random.nextInt(3));
            case 9 -> Request.Reweight.of(name, id, sequence, random.nextInt(2), 1 + random.nextInt(3));
            case 10 -> Request.Skip.of(name, id, sequence);
            case 11 -> Request.Fix.of(name, id, sequence, random.nextInt(3), lease);
            default -> random.nextInt(4) > 0 ? Request.Evict.of(name) : Request.Resize.of(name, random.nextInt(4));
        };
    }
}
