package io.belay.internal.claim;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine and the process of this client, as {@code inspect} shows them. */
public final class LocalHost {
    static final long PROCESS = ProcessHandle.current().pid();
    public static final String NAME = name();

    private LocalHost() {}

    private static String name() {
        String fromEnvironment = System.getenv("HOSTNAME");
        if (fromEnvironment != null && !fromEnvironment.isBlank()) {
            return fromEnvironment;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) { // it has a name, though no address
            return nameOnLinux();
        }
    }

    private static String nameOnLinux() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            return "unknown";
        }
    }
}
