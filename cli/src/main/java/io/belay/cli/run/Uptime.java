package io.belay.cli.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The time since the machine was booted: a clock that nobody sets, that goes on in a suspension, and that shells can read. */
final class Uptime {
    private Uptime() {}

    static long hundredths() {
        try {
            String text = Files.readString(Path.of("/proc/uptime"));
            return Long.parseLong(text.substring(0, text.indexOf(' ')).replace(".", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // the script refuses to begin where it is not
        }
    }
}
