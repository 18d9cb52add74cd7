package io.belay.spi;

/** The words of {@link Answer#refusal()}, for stores that do not run the reference model. */
public final class Refusals {
    /** The words for an enter that came after the leave that ended its claim. */
    public static final String ENDED = "the claim was ended before it entered";

    private Refusals() {}

    /** Says that the resource has one capacity, and the client takes it to have another. */
    public static String otherCapacity(int capacity, int asked) {
        return "it has the capacity " + describe(capacity) + " and is asked for with the capacity " + describe(asked);
    }

    /** Says that the claim could never be granted. */
    public static String tooHeavy(int capacity, int weight) {
        return "it has the capacity " + describe(capacity) + ", too little for a claim of " + describe(weight);
    }

    /** Says that a weight cannot be raised beside what the other holders have. */
    public static String noRoom(int capacity, long others, int weight) {
        return "the other holders have " + others + " of the capacity " + describe(capacity)
                + ", which leaves no room for " + describe(weight);
    }

    private static String describe(int amount) {
        return amount == Resource.WHOLE ? "of a whole lock" : Integer.toString(amount);
    }
}
