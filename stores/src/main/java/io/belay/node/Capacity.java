package io.belay.node;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The capacity of a resource that was set on purpose, as a service keeps it. It changes for all at the same time, though each
 * client finds out for itself which claims are granted:
 *
 * <ol>
 *   <li>Who makes it smaller first writes the new size beside the former one. From then on nobody is granted anything.
 *   <li>So all can see who had been granted by then: whom the former size lets in. Whoever sees that first, be it somebody
 *       else, writes the new size and the order of the last of them: these stay granted, and who comes after them waits for
 *       room.
 *   <li>Once all that is granted fits, the size alone is written.
 * </ol>
 *
 * @param size what was set; 0 if nothing was, so that it is what the first node says
 * @param former while it is made smaller, the size before, 0 for what the first node says; else -1
 * @param granted the order of the last claim that stays granted though there is no room; the least number for none
 * @param version another one after each change
 */
public record Capacity(int size, int former, long granted, long version) {
    /** The former size of a capacity that is not being changed. */
    static final int STEADY = -1;

    /** The order of nobody: that of each node is greater. */
    static final long NOBODY = Long.MIN_VALUE;

    /** A capacity that was never set. */
    public static final Capacity NONE = unset(0);

    private static final Pattern TEXT =
            Pattern.compile("([1-9]\\d{0,9})(?:-was-(\\d{1,10}))?(?:-granted-(-?\\d{1,19}))?");

    /** Returns a capacity that was not set, of a resource that has that version. */
    public static Capacity unset(long version) {
        return new Capacity(0, STEADY, NOBODY, version);
    }

    /**
     * Reads what {@link #text} has written.
     *
     * @param version as the service tells it
     * @return empty if it is none
     */
    public static Optional<Capacity> parse(String text, long version) {
        Matcher parts = TEXT.matcher(Objects.requireNonNull(text, "text"));
        try {
            return parts.matches()
                    ? Optional.of(new Capacity(
                            Integer.parseInt(parts.group(1)),
                            parts.group(2) == null ? STEADY : Integer.parseInt(parts.group(2)),
                            parts.group(3) == null ? NOBODY : Long.parseLong(parts.group(3)),
                            version))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Returns it for people to read, too: {@code 3}, {@code 3-was-5} or {@code 3-granted-41}. */
    public String text() {
        return size + (isChanging() ? "-was-" + former : "") + (granted == NOBODY ? "" : "-granted-" + granted);
    }

    boolean isSet() {
        return size > 0;
    }

    /** Returns whether it is being made smaller, so that nobody is granted anything. */
    boolean isChanging() {
        return former != STEADY;
    }

    /** Returns whether a node stays granted, whether or not there is room. */
    boolean covers(Node node) {
        return node.order() <= granted;
    }

    /** Returns whether a claim can never be granted, however few there are before it. */
    boolean shutsOut(Node own) {
        return isSet() && own.weight() > size && !covers(own);
    }

    /** Returns what another size is to be written as. */
    Capacity resized(int to) {
        return to == 0 ? NONE : new Capacity(to, isSet() && to >= size ? STEADY : size, granted, version);
    }

    /** Returns the same size with another claim as the last that stays granted, and no change under way. */
    Capacity steady(long last) {
        return new Capacity(size, STEADY, last, version);
    }

    /** Returns the same, of which the order of the last that stays granted is counted as the orders of its nodes are. */
    public Capacity counted(long order) {
        return granted == NOBODY ? this : new Capacity(size, former, order, version);
    }
}
