package io.belay.spi;

/**
 * How many replicas have what an {@link Answer} tells, where a client asks for that.
 *
 * @param replicas how many are known to have it
 * @param wanted how many the client asks for
 */
public record Confirmation(int replicas, int wanted) {
    /** Whether a server that takes over may know nothing of it. */
    public boolean isShort() {
        return replicas < wanted;
    }
}
