package io.belay.spi;

/** The number of replicas that have what an {@link Answer} tells, where a client asks for that. */
public sealed interface Confirmation permits ConfirmationValue {
    /** Returns how many are known to have it. */
    int replicas();

    /** Returns how many the client asks for. */
    int wanted();

    /** Makes the number of replicas that have it, of so many that are asked for. */
    static Confirmation of(int replicas, int wanted) {
        return new ConfirmationValue(replicas, wanted);
    }

    /** Returns whether a server that takes over may know nothing of what was answered. */
    default boolean isShort() {
        return replicas() < wanted();
    }
}
