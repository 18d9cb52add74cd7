package io.belay.trials.library;

import io.belay.trials.plant.Plant;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A grant that behaves as if its library had a bug. */
public final class PlantedGrant implements Grant {
    private static final int LOOKS_SKIPPED = 20;
    private static final AtomicLong TOKENS = new AtomicLong();

    private final Grant grant;
    private final Plant plant;
    private final Runnable evict;
    private final long token;
    /** The number of looks so far. Only its holder's thread looks. */
    private int looks;
    /** The end that the holder believes in, once it has moved it and nobody was asked. */
    private volatile @Nullable Long pretended;

    /** Creates the grant; {@code evict} takes the lock away from whoever holds it. */
    public PlantedGrant(Grant grant, Plant plant, Runnable evict) {
        this.grant = grant;
        this.plant = plant;
        this.evict = evict;
        token = plant == Plant.TOKEN_RESET ? TOKENS.incrementAndGet() : grant.token();
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public long remainingNanos() {
        Long end = pretended;
        if (end != null) {
            return Math.max(0, end - System.nanoTime());
        }
        return plant == Plant.DEADLINE_IGNORED ? Long.MAX_VALUE : grant.remainingNanos();
    }

    @Override
    public boolean isHeld() {
        return switch (plant) {
            case DEADLINE_IGNORED -> true;
            case RECHECK_SKIPPED -> looks++ % LOOKS_SKIPPED != 0 || grant.isHeld();
            case EXTENDED_UNTOLD -> remainingNanos() > 0;
            default -> grant.isHeld();
        };
    }

    @Override
    public void onLost(Runnable told) {
        if (plant != Plant.LOSS_UNTOLD) {
            grant.onLost(() -> {
                if (pretended == null) {
                    told.run();
                }
            });
        }
    }

    @Override
    public Grant downgrade() {
        return new PlantedGrant(grant.downgrade(), plant, evict);
    }

    @Override
    public void extend(Duration duration) {
        if (plant == Plant.EXTENDED_UNTOLD) {
            pretended = System.nanoTime() + duration.toNanos();
        } else {
            grant.extend(duration);
        }
    }

    @Override
    public Outcome releaseAfter(Duration delay) {
        Outcome outcome = grant.releaseAfter(delay);
        if (plant == Plant.KEPT_FREED && outcome == Outcome.RELEASED) {
            evict.run();
        }
        return outcome;
    }

    @Override
    public Outcome release() {
        Outcome outcome = grant.release();
        if (plant == Plant.STRANGER_RELEASE) {
            evict.run();
        }
        return outcome;
    }
}
