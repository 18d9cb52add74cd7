package io.belay.spi;

/**
 * The number of replicas that have what an {@link Answer} tells, where a client asks for that.
 *
 * @param replicas how many are known to have it
 * @param wanted how many the client asks for
 */
public record Confirmation(int replicas, int wanted) {
    /** Returns whether a server that takes over may know nothing of what was answered. */
    public boolean isShort() {
        return replicas < wanted;
    }
}
