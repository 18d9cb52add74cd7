package io.belay.flashsale;

import io.belay.cli.text.Text;
import io.belay.flashsale.load.Tally;

/** The progress of a sale on the error output: one line that changes on a terminal, else a line now and then. */
final class Progress {
    private static final long ON_TERMINAL_NANOS = 200_000_000;
    private static final long ELSEWHERE_NANOS = 2_000_000_000;
    /** A terminal of 80 columns begins another row behind it, and goes back to the beginning of that one only. */
    private static final int LONGEST = 79;

    private static final int LONGEST_BAR = 30;
    private static final String FIGURES = "] %d of %d: %d sold, %d sold out, %.0f/s";

    private final SalePlan plan;
    private final Tally tally;
    private final boolean terminal = Text.isTerminal(2);
    private final long begun = System.nanoTime();
    private long last = begun;
    private boolean lineOpen;

    Progress(SalePlan plan, Tally tally) {
        this.plan = plan;
        this.tally = tally;
    }

    /** Prints the progress if it is time to. */
    void tick() {
        long now = System.nanoTime();
        if (now - last >= (terminal ? ON_TERMINAL_NANOS : ELSEWHERE_NANOS)) {
            last = now;
            print();
        }
    }

    /** Prints another line, between those of the progress. */
    void say(String line) {
        endLine();
        System.err.println(line);
    }

    /** Prints how the progress ended, on a terminal, and ends the line. */
    void end() {
        if (terminal) {
            print();
        }
        endLine();
    }

    private void print() {
        double seconds = (System.nanoTime() - begun) / 1e9;
        String line = line(plan.orders(), tally.done(), tally.sold(), tally.soldOut(), tally.done() / seconds);
        System.err.print(terminal ? inPlace(line) : line + "\n");
        System.err.flush();
        lineOpen = terminal;
    }

    /**
     * Returns what prints a line over the last one. What does not fit a narrow terminal is cut off: its rest would be on a row of its
     * own, and the row above would stay.
     */
    static String inPlace(String line) {
        return "\r\u001b[?7l" + line + "\u001b[K\u001b[?7h";
    }

    /** Returns the line; the bar has what the longest figures of so many orders leave, and keeps its length. */
    static String line(int orders, long done, long sold, long soldOut, double perSecond) {
        int digits = Integer.toString(orders).length();
        int figures = Text.format(FIGURES, 0, 0, 0, 0, 0.0).length() + 4 * (digits - 1) + 8;
        String bar = Text.bar(done, orders, Math.min(LONGEST_BAR, LONGEST - 1 - figures));
        return "[" + bar + Text.format(FIGURES, done, orders, sold, soldOut, perSecond);
    }

    private void endLine() {
        if (lineOpen) {
            System.err.println();
            lineOpen = false;
        }
    }
}
