package io.belay.cli.run;

import io.belay.cli.text.CliException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The programs that a name can mean, as a shell looks for them. */
final class Programs {
    /** What Java makes of a byte that the locale does not know, which is then part of another name. */
    private static final char UNKNOWN = '\ufffd';

    private Programs() {}

    /**
     * Makes sure that there is such a program, before anybody waits for a lock.
     *
     * @throws CliException with the exit code that a shell would have
     */
    static void require(String program) {
        boolean there = false;
        boolean unread = false;
        for (String place : places(program)) {
            unread |= place.indexOf(UNKNOWN) >= 0;
            try {
                Path file = Path.of(place);
                if (Files.isExecutable(file) && !Files.isDirectory(file)) {
                    return;
                }
                there |= Files.exists(file);
            } catch (InvalidPathException e) {
                unread = true;
            }
        }
        if (unread) {
            return; // the locale does not know its letters: whoever starts the program will see
        }
        throw there
                ? CliException.of(
                        ExitCodes.NOT_EXECUTABLE, "'" + program + "' cannot be run: it is no program, or you may not")
                : CliException.of(ExitCodes.NOT_FOUND, "'" + program + "' is not there: check the name, or the PATH");
    }

    static boolean isThere(String program) {
        try {
            require(program);
            return true;
        } catch (CliException e) {
            return false;
        }
    }

    private static List<String> places(String program) {
        if (program.contains("/")) {
            return List.of(program);
        }
        List<String> places = new ArrayList<>();
        String path = System.getenv("PATH");
        for (String directory : (path == null ? "/usr/bin:/bin" : path).split(File.pathSeparator, -1)) {
            places.add((directory.isEmpty() ? "." : directory) + "/" + program);
        }
        return places;
    }
}
