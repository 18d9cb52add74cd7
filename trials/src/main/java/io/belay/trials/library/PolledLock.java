package io.belay.trials.library;

import java.util.Optional;
import java.util.UUID;

/** A base of the locks of textbooks: they try again and again, and know nothing of tokens or losses. */
abstract class PolledLock implements Library {
    private static final long POLL_MILLIS = 50;

    /** Tries once to take a lock. */
    abstract boolean take(String key, String value);

    abstract void giveBack(String key, String value);

    @Override
    public Optional<Grant> acquire(Ask ask) throws InterruptedException {
        String value = UUID.randomUUID().toString();
        long patience =
                ask.patience() == null ? Long.MAX_VALUE / 2 : ask.patience().toNanos();
        long end = System.nanoTime() + patience;
        while (!take(ask.name(), value)) {
            if (System.nanoTime() - end >= 0) {
                return Optional.empty();
            }
            Thread.sleep(POLL_MILLIS);
        }
        return Optional.of(new PolledGrant(ask.name(), value));
    }

    @Override
    public boolean renews() {
        return false;
    }

    private final class PolledGrant implements Grant {
        private final String key;
        private final String value;

        PolledGrant(String key, String value) {
            this.key = key;
            this.value = value;
        }

        @Override
        public long token() {
            return NO_TOKEN;
        }

        @Override
        public long remainingNanos() {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public void onLost(Runnable told) {
            // Nobody finds out.
        }

        @Override
        public Outcome release() {
            try {
                giveBack(key, value);
                return Outcome.RELEASED;
            } catch (RuntimeException e) {
                return Outcome.UNKNOWN;
            }
        }
    }
}
