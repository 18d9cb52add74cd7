package io.belay.spi;

/** The words of {@link Answer#refusal()}, for stores that do not run the reference model. */
public final class Refusals {
    /** The words for an enter that came after the leave that ended its claim. */
    public static final String ENDED = "the claim was ended before it entered";

    private Refusals() {}

    /** Says that the resource has one capacity, and the client takes it to have another. */
    public static String otherCapacity(int capacity, int asked) {
        boolean permits = capacity < Resource.WHOLE && asked < Resource.WHOLE;
        return "it is " + describe(capacity) + ", and is asked for as " + describe(asked)
                + (permits
                        ? ": give the same number, resize it, or use joinSemaphore, which needs none"
                        : ": take another name for one of the two");
    }

    /** Says that the claim could never be granted. */
    public static String tooHeavy(int capacity, int weight) {
        return "it is " + describe(capacity) + ", too few for " + weight + ": ask for fewer, or resize it";
    }

    /** Says that a weight cannot be raised beside what the other holders have. */
    public static String noRoom(int capacity, long others, int weight) {
        String wanted = weight == Resource.WHOLE ? "who wants all of it" : Integer.toString(weight);
        return "it is " + describe(capacity) + ", of which others have " + others + ", and no room is left for "
                + wanted;
    }

    private static String describe(int capacity) {
        return capacity == Resource.WHOLE
                ? "a lock or latch"
                : "a semaphore of " + capacity + (capacity == 1 ? " permit" : " permits");
    }
}
