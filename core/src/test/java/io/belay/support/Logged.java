package io.belay.support;

import io.belay.servers.Pace;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What Belay logs, as the tests' logger writes it to the standard error. */
public final class Logged {
    private Logged() {}

    /** Returns the lines with that text that are logged while something is done. */
    public static List<String> during(String text, Runnable what) {
        Log.flush(Pace.patience()); // what others have logged
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            what.run();
            Log.flush(Pace.patience());
        } finally {
            System.setErr(before);
        }
        return log.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(text))
                .toList();
    }
}
