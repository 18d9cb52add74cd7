package io.belay.bench.library;

import org.jspecify.annotations.Nullable;

/** A lock by hand. */
abstract class RawMutex extends ImpatientMutex {
    @Override
    public @Nullable Held tryAcquire() {
        String value = RawScripts.value();
        return set(value) ? new RawHeld(value) : null;
    }

    /** Sets the key by SET NX PX; returns whether it was set. */
    abstract boolean set(String value);

    /** Deletes the key if it has this value. */
    abstract void delete(String value);

    /** Returns the value of the key. */
    abstract @Nullable String get();

    private final class RawHeld implements Held {
        private final String value;

        RawHeld(String value) {
            this.value = value;
        }

        @Override
        public void release() {
            delete(value);
        }

        @Override
        public boolean isHeld() {
            return value.equals(get());
        }
    }
}
