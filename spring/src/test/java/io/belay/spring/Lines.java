package io.belay.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belay.servers.Pace;
import io.belay.support.Log;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/** The lines that are logged meanwhile. */
final class Lines {
    private Lines() {}

    static String of(Runnable body) {
        PrintStream before = System.err;
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        System.setErr(new PrintStream(lines, true, UTF_8));
        try {
            body.run();
            Log.flush(Pace.patience());
        } finally {
            System.setErr(before);
        }
        return lines.toString(UTF_8);
    }
}
