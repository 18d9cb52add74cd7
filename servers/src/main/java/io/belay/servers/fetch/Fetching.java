package io.belay.servers.fetch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Downloads a server with all that it needs, unpacks it and makes it startable. */
final class Fetching implements ServerCache.Filler {
    private static final long MEGABYTE = 1_000_000;

    private final DebianServer server;
    private final Path etc;
    private final String path;
    private final Consumer<String> announcement;

    /**
     * @param etc the machine's directory of package sources
     * @param path where programs are looked for, as in the variable {@code PATH}
     */
    Fetching(DebianServer server, Path etc, String path, Consumer<String> announcement) {
        this.server = server;
        this.etc = etc;
        this.path = path;
        this.announcement = announcement;
    }

    @Override
    public void fill(Path empty, Path later) throws IOException, InterruptedException {
        Path work = Files.createDirectory(empty.resolve(".apt"));
        Apt apt = new Apt(work, server.suite(), path);
        apt.update(etc);
        List<Apt.Package> plan = apt.plan(server.packages());
        announcement.accept("fetching " + server.title() + " (" + version(plan) + ") from Debian's " + server.suite()
                + ": " + plan.size() + " packages, "
                + plan.stream().mapToLong(Apt.Package::bytes).sum() / MEGABYTE + " MB, to " + later);
        for (Path file : apt.download(server.packages(), plan)) {
            apt.unpack(file, empty);
        }
        ServerCache.delete(work);
        new UnpackedServer(empty, later).makeStartable(server.programs());
    }

    /** The version that the suite has. @throws IOException if it is not the one to be fetched */
    private String version(List<Apt.Package> plan) throws IOException {
        String name = server.packages().get(0);
        String version = plan.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IOException("Debian's " + server.suite() + " has no package " + name))
                .version();
        if (!server.matches(version)) {
            throw new IOException("Debian's " + server.suite() + " has moved on to " + name + " " + version);
        }
        return version;
    }
}
