package io.belay.redis;

/**
 * Notices that nothing comes from a server though it was asked. It does not measure time but counts it, in looks: while
 * this process stands still, nobody looks, and what has come meanwhile is read before the next one.
 *
 * <p>Whoever sends and whoever reads tell it so; looking is for one thread at a time.
 */
final class AnswerWatch {
    /** The number of looks that the limit is made of. */
    static final int LOOKS = 4;

    private volatile boolean asked;
    private volatile long answers;
    // Of the thread that looks.
    private long answersSeen;
    private int quiet;

    /** Notes that something is about to be asked. */
    void asked() {
        if (!asked) {
            asked = true;
        }
    }

    /** Returns whether something was asked since the last look, or before it and not answered. */
    boolean isAsked() {
        return asked;
    }

    /** Counts an answer. Called by the connection's own thread alone. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    void heard() {
        answers++;
    }

    /**
     * Looks. Returns whether nothing has come in the last {@value #LOOKS} intervals or more, although something was asked
     * before. Where an answer came in the same interval as a question it is not known whether that was its answer: the
     * question counts when it is asked again.
     */
    boolean isSilent() {
        return isSilent(false);
    }

    /**
     * Does the same where a question may be open that answers to others do not end, and that is not asked again.
     *
     * @param open whether there is one
     */
    boolean isSilent(boolean open) {
        if (!(asked || open) || answers != answersSeen) {
            answersSeen = answers;
            asked = false;
            quiet = 0;
            return false;
        }
        return ++quiet > LOOKS;
    }
}
