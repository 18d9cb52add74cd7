package io.belay.tck;

import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Random requests about few claims, so that many of them matter; leases so short that some expire in between. */
final class RandomRequests {
    private static final String[] TEXTS = {"", "a", "thread-1", "Käse", "日本語".repeat(30), "x".repeat(200), "\0\n"};

    private final Random random;
    private final LongSupplier clock;

    /** Creates a source of requests; its clock is roughly that of the store, in microseconds. */
    RandomRequests(long seed, LongSupplier clock) {
        random = new Random(seed);
        this.clock = clock;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    private long lease() {
        return switch (random.nextInt(4)) {
            case 0 -> 1 + random.nextInt(3_000);
            case 1 -> 30_000_000L + random.nextInt(2);
            default -> 1_000 + random.nextInt(60_000);
        };
    }

    /** Makes a request of that client about one of its claims of that number or a few before, some of them unknown. */
    Request request(long client, Resource state, String name, long newest) {
        List<Claim> own =
                state.claims().stream().filter(c -> c.id().client() == client).toList();
        boolean known = !own.isEmpty() && random.nextInt(4) > 0;
        @Nullable Claim claim = known ? own.get(random.nextInt(own.size())) : null;
        ClaimId id = claim != null ? claim.id() : ClaimId.of(client, Math.max(1, newest - random.nextInt(3)));
        long sequence = claim != null && random.nextInt(6) > 0 ? claim.sequence() : random.nextInt(3);
        int reweights = claim != null && random.nextInt(6) > 0 ? claim.reweights() : random.nextInt(2);
        int kind = random.nextInt(100);
        if (kind == 99 && random.nextInt(10) == 0) {
            return Request.Resize.of(name, random.nextInt(5));
        } else if (kind < 38) {
            return enter(name, random.nextInt(8) == 0 ? id : ClaimId.of(client, newest + 1));
        } else if (kind < 60) {
            return Request.Leave.of(name, id, random.nextInt(12) == 0);
        } else if (kind < 64) {
            // An older one than the claim knows of, the next one, or one that has overtaken another.
            return Request.Fix.of(name, id, sequence, Math.max(0, reweights + random.nextInt(3) - 1), lease());
        } else if (kind < 78) {
            return Request.Renew.of(name, id, sequence, lease(), random.nextInt(3), random.nextBoolean());
        } else if (kind < 88) {
            return Request.Yield.of(name, id, sequence, lease(), random.nextInt(3));
        } else if (kind < 93) {
            return Request.Reweight.of(name, id, sequence, reweights, weight());
        } else if (kind < 95) {
            return Request.Describe.of(
                    name, id, sequence, owner().withThread(text(), text()).withSince(lease()));
        } else if (kind < 98) {
            return Request.Skip.of(name, id, sequence);
        }
        return Request.Evict.of(name);
    }

    Request.Enter enter(String name, ClaimId id) {
        int capacity = name.endsWith("0") ? Resource.WHOLE : random.nextInt(12) == 0 ? 2 : 3;
        int weight = capacity == Resource.WHOLE && random.nextInt(3) > 0 ? capacity : weight();
        long hold = random.nextInt(5) == 0 ? lease() : 0;
        Owner owner = owner();
        return Request.Enter.of(
                        name,
                        id,
                        ClaimSpec.of(capacity, weight, lease())
                                .withFixedLease(hold)
                                .withIfFree(random.nextInt(5) == 0)
                                .withSticky(random.nextInt(3) == 0),
                        random.nextInt(3),
                        owner)
                .withProposed(random.nextInt(4) == 0 && !name.startsWith("alone") ? proposed() : 0);
    }

    /**
     * Proposes a sequence. Some are behind the clock or the last sequence, some are further ahead than any lease.
     * The caller takes none for a name whose sequences are to stay near the clock.
     */
    private long proposed() {
        return Math.max(
                1,
                clock.getAsLong()
                        + switch (random.nextInt(4)) {
                            case 0 -> random.nextInt(60_000_000);
                            case 1 -> -random.nextInt(5_000);
                            default -> random.nextInt(5_000);
                        });
    }

    private int weight() {
        return 1 + random.nextInt(random.nextInt(6) == 0 ? 5 : 3);
    }

    private Owner owner() {
        Owner owner = Owner.of(text(), text(), random.nextLong(), text());
        return random.nextBoolean() ? owner : owner.withThread(text(), text()).withLease(lease());
    }

    private String text() {
        return TEXTS[random.nextInt(TEXTS.length)];
    }
}
