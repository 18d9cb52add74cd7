package io.belay.internal.claim;

import java.net.InetAddress;
import java.net.UnknownHostException;

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
        } catch (UnknownHostException e) { // which begins with the name for which there is no address
            return String.valueOf(e.getMessage()).split(":", 2)[0];
        }
    }
}
