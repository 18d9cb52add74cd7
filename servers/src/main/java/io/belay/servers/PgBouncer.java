package io.belay.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;

/** A PgBouncer of a test's own before a {@link PostgresServer}: the program {@code pgbouncer} of the PATH. */
public final class PgBouncer extends ServerProcess {
    private static final String USER = "nobody";
    private static final String SETTINGS = "pgbouncer.ini";

    private final int server;
    private final String mode;

    private PgBouncer(int server, String mode) throws IOException {
        super("pgbouncer");
        this.server = server;
        this.mode = mode;
    }

    /** Returns whether there is a program to start. */
    public static boolean isInstalled() {
        return Programs.directoryOf("pgbouncer").isPresent();
    }

    /**
     * Starts a PgBouncer before a server that asks for no password.
     *
     * @param mode how long a client keeps a connection: {@code session} or {@code transaction}
     */
    public static PgBouncer start(PostgresServer server, String mode) throws IOException, InterruptedException {
        PgBouncer pooler = new PgBouncer(server.port(), mode);
        try {
            pooler.launchSomewhere();
            return pooler;
        } catch (IOException | InterruptedException | RuntimeException e) {
            pooler.close();
            throw e;
        }
    }

    @Override
    List<String> command() throws IOException {
        Files.writeString(directory.resolve(SETTINGS), """
                [databases]
                * = host=%1$s port=%2$d user=postgres
                [pgbouncer]
                listen_addr = %1$s
                listen_port = %3$d
                unix_socket_dir =
                auth_type = any
                pool_mode = %4$s
                ignore_startup_parameters = extra_float_digits
                """.formatted(Ports.HOST, server, port(), mode));
        List<String> command = new ArrayList<>();
        if (Programs.isRoot()) {
            // It refuses to be root.
            UserPrincipal user =
                    directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER);
            Files.setOwner(directory, user);
            Files.setOwner(directory.resolve(SETTINGS), user);
            command.addAll(List.of("setpriv", "--reuid=" + USER, "--regid=nogroup", "--clear-groups"));
        }
        command.addAll(List.of(Programs.find("pgbouncer", "pgbouncer"), SETTINGS));
        return command;
    }

    @Override
    boolean isReady(long pid) throws IOException {
        return log().contains("process up");
    }
}
