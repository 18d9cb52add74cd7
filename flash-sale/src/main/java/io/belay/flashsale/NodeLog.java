package io.belay.flashsale;

import io.belay.cli.text.Text;
import io.belay.support.UrlPasswords;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The log of a node, which copies what the node says to a file, shows the warnings, and finds the port in it. */
final class NodeLog {
    private static final Pattern READY = Pattern.compile(".* is ready on port (\\d+)");
    private static final Pattern WORTH_SHOWING = Pattern.compile("\\S+ (WARN|ERROR) .*|.* was handed over after .*");

    private final String node;
    private final InputStream source;
    private final Path file;
    private final CompletableFuture<Integer> port;
    private volatile String lastLine = "it said nothing";

    NodeLog(String node, InputStream source, Path file, CompletableFuture<Integer> port) {
        this.node = node;
        this.source = source;
        this.file = file;
        this.port = port;
    }

    void start() {
        Thread thread = new Thread(this::copy, "log-" + node);
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the last line, which says why a node ended if it could. */
    String lastWords() {
        return lastLine;
    }

    private void copy() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(source, StandardCharsets.UTF_8));
                Writer log = Files.newBufferedWriter(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String masked = UrlPasswords.mask(Text.printable(line));
                log.write(masked + "\n");
                log.flush();
                look(masked);
            }
        } catch (IOException e) {
            lastLine = "its log cannot be copied: " + e.getMessage();
        } finally {
            port.completeExceptionally(new IOException("it ended"));
        }
    }

    private void look(String line) {
        if (!line.isBlank()) {
            lastLine = line;
        }
        Matcher ready = READY.matcher(line);
        if (ready.matches()) {
            port.complete(Integer.valueOf(ready.group(1)));
        } else if (WORTH_SHOWING.matcher(line).matches()) {
            System.err.println(node + ": " + line);
        }
    }
}
