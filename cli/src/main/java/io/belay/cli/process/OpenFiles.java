package io.belay.cli.process;

import com.sun.management.UnixOperatingSystemMXBean;
import io.belay.cli.text.CliException;
import java.lang.management.ManagementFactory;

/** The files, connections among them, that a process may have open. Java raises its soft limit to the hard one. */
public final class OpenFiles {
    /** The number of files that a Java VM has open besides its connections, rounded up. */
    private static final int OTHERS = 200;

    private OpenFiles() {}

    /** Returns how many connections a process can have. */
    public static long connections() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? Math.max(1, unix.getMaxFileDescriptorCount() - OTHERS)
                : Long.MAX_VALUE;
    }

    /**
     * Makes sure that this process can have so many connections.
     *
     * @param what needs them
     * @throws CliException if the process cannot
     */
    public static void require(long connections, String what) {
        if (connections > connections()) {
            throw CliException.usage(what + " need " + (connections + OTHERS)
                    + " open files, but the limit is " + (connections() + OTHERS)
                    + ": raise the hard limit (ulimit -Hn), or use fewer of them");
        }
    }
}
