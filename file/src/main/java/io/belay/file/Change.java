package io.belay.file;

/** A change to one bucket. The {@link Table} applies it anew, to the new state, each time another client was faster. */
interface Change {
    /**
     * Changes the document. What an earlier call found is void.
     *
     * @return whether the document is to be written
     * @throws Damage if the document is damaged
     */
    boolean apply(Document document, long now);

    /** Returns whether it adds a claim, which is to have the room that it needs later. */
    default boolean adds() {
        return false;
    }

    /** Called when the document that this change made is longer than {@link Table#ENOUGH}; may throw. */
    default void tooLong() {}
}
