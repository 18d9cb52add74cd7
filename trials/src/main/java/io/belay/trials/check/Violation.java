package io.belay.trials.check;

/**
 * A promise that was not kept.
 *
 * @param rule which
 * @param name the lock's name
 * @param from when it began, by {@link System#nanoTime()}
 * @param to when it ended
 * @param text who did what
 */
public record Violation(Rule rule, String name, long from, long to, String text) {
    /** The promises. */
    public enum Rule {
        EXCLUSION("held by more than there is room for"),
        TOKENS("a token that is not above those before"),
        STALE_WRITE("a guarded write with an old token"),
        GUARDED_LOST("a guarded write was lost"),
        UNGUARDED_LOST("a write was lost though nothing had gone wrong"),
        KEPT("granted while nobody was to have it"),
        HELD_AFTER_LOST("said held after lost"),
        LOSS_UNTOLD("a loss that was never told"),
        LATE("the next had to wait too long"),
        UNTOLD("who waited found its grant out by itself"),
        STUCK("a waiter did not proceed"),
        UNSERVED("not served though the store was back"),
        RELEASE_WRONG("a release told otherwise though nothing had gone wrong"),
        UNANSWERED("told that nobody knows, though nothing had gone wrong"),
        DEFECT("something was thrown that is not to be"),
        SLOW("the store was back, and the rate of grants was not"),
        BIG("the store keeps more than is needed"),
        ORDER("overtaken by one who asked later"),
        LEFT_BEHIND("left behind in the store");

        private final String words;

        Rule(String words) {
            this.words = words;
        }

        /** Returns what happened, in words. */
        public String words() {
            return words;
        }
    }
}
