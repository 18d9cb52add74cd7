package io.belay.cli.run;

import io.belay.cli.text.CliException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The programs that a name can mean, as a shell looks for them. */
final class Programs {
    private Programs() {}

    /**
     * Makes sure that there is such a program, before anybody waits for a lock.
     *
     * @throws CliException with the exit code that a shell would have
     */
    static void require(String program) {
        boolean there = false;
        for (Path file : places(program)) {
            if (isProgram(file)) {
                return;
            }
            there |= Files.exists(file);
        }
        throw there
                ? CliException.of(
                        ExitCodes.NOT_EXECUTABLE, "'" + program + "' cannot be run: it is no program, or you may not")
                : CliException.of(ExitCodes.NOT_FOUND, "'" + program + "' is not there: check the name, or the PATH");
    }

    static boolean isThere(String program) {
        return places(program).stream().anyMatch(Programs::isProgram);
    }

    private static boolean isProgram(Path file) {
        return Files.isExecutable(file) && !Files.isDirectory(file);
    }

    private static List<Path> places(String program) {
        if (program.contains("/")) {
            return List.of(Path.of(program));
        }
        List<Path> places = new ArrayList<>();
        String path = System.getenv("PATH");
        for (String directory : (path == null ? "/usr/bin:/bin" : path).split(File.pathSeparator, -1)) {
            places.add(Path.of(directory, program));
        }
        return places;
    }
}
