package io.belay.servers.fetch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs of the machine to their end. */
final class Commands {
    private static final Path NOTHING = Path.of("/dev/null");

    private final String path;
    private final Path log;
    private final Duration limit;

    /**
     * @param path where programs are looked for, as in the variable {@code PATH}
     * @param log the file for what they print
     * @param limit how long one may take
     */
    Commands(String path, Path log, Duration limit) {
        this.path = path;
        this.log = log;
        this.limit = limit;
    }

    /** Returns the path of a program. @throws IOException if it is nowhere */
    Path find(String program) throws IOException {
        return Arrays.stream(path.split(":", -1))
                .map(directory -> Path.of(directory).resolve(program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IOException(
                        "there is no program " + program + ", which only Debian and systems like it have"));
    }

    /** Runs a program and returns what it printed. @throws IOException with one line of that, if it fails */
    String run(String program, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(find(program).toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(NOTHING.toFile())
                .redirectOutput(log.toFile());
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("DEBIAN_FRONTEND", "noninteractive");
        Process process = builder.start();
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(program + " did not end within " + limit.toSeconds() + " s");
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String output = Files.readString(log);
        if (process.exitValue() != 0) {
            throw new IOException(program + " ended with " + process.exitValue() + ": " + reason(output));
        }
        return output;
    }

    /** The first error that apt names, or the last line. */
    private static String reason(String output) {
        List<String> lines = output.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        return lines.stream()
                .filter(line -> line.startsWith("E: "))
                .map(line -> line.substring(3))
                .findFirst()
                .orElse(lines.isEmpty() ? "it printed nothing" : lines.get(lines.size() - 1));
    }
}
