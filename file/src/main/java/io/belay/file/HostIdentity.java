package io.belay.file;

import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The host on which this process runs.
 *
 * @param boot names this boot of the kernel
 * @param clock names the monotonic clock; containers may have one of their own
 * @param machine names the machine's installation; empty where nothing does
 */
record HostIdentity(String boot, String clock, String machine) {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path CLOCK = Path.of("/proc/self/ns/time");
    private static final Path MACHINE = Path.of("/etc/machine-id");

    static HostIdentity current() {
        try {
            String boot = Files.exists(BOOT) ? Files.readString(BOOT).trim() : macBoot();
            if (boot.isEmpty()) {
                throw new IOException("it names no boot");
            }
            String clock = Files.exists(CLOCK) ? Files.readSymbolicLink(CLOCK).toString() : "";
            return new HostIdentity(boot, clock, readMachine());
        } catch (IOException e) {
            throw StoreException.unusable(
                    "file: needs Linux or macOS, where it can tell one boot of the machine from the next: " + e, e);
        }
    }

    private static String readMachine() {
        try {
            String id = Files.readString(MACHINE).trim();
            return id.equals("uninitialized") || id.isEmpty() ? "" : Long.toHexString(ResourceNames.hash(id));
        } catch (IOException e) {
            // Most containers have none. A host name would be no substitute: theirs are made anew with each container.
            return "";
        }
    }

    private static String macBoot() throws IOException {
        Process process = new ProcessBuilder("sysctl", "-n", "kern.bootsessionuuid").start();
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    }

    /** Returns a short name of the boot, for use in a path. */
    String bootName() {
        return String.format("%016x", ResourceNames.hash(boot)).substring(0, 12);
    }

    long clockId() {
        return ResourceNames.hash(clock);
    }
}
