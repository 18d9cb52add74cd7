package io.belay.servers;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** A builder of a {@link RedisServer}. What is not set here is as in Redis, but the server keeps nothing on disk. */
public final class RedisServerBuilder {
    private static final int PORTS = 5;

    final RedisServer.Version version;
    private final List<String> options = new ArrayList<>();
    private @Nullable Path program;
    private @Nullable Certificates certificates;
    private @Nullable List<String> sentinel;
    private @Nullable Duration clock;
    private IntSupplier ports = Ports::free;

    RedisServerBuilder(RedisServer.Version version) {
        this.version = version;
    }

    /** Adds options as on the command line of redis-server: {@code "--maxmemory", "1mb"}. The last of a name wins. */
    public RedisServerBuilder options(String... words) {
        Collections.addAll(options, words);
        return this;
    }

    /** Gives the default user a password. */
    public RedisServerBuilder password(String password) {
        return options("--requirepass", password);
    }

    /** Adds a user, or changes the default one: {@code user("app", "on", ">secret", "~belay:*", "+@all")}. */
    public RedisServerBuilder user(String name, String... rules) {
        options.add("--user");
        options.add(name);
        return options(rules);
    }

    /**
     * Lets the port talk TLS only. Clients need no certificate; with the options {@code "--tls-auth-clients", "yes"}
     * they need one of the same authority.
     */
    public RedisServerBuilder tls(Certificates certificates) {
        this.certificates = certificates;
        return this;
    }

    /** Runs this program, which must be of the version or later, instead of the one that comes with this module. */
    public RedisServerBuilder program(Path program) {
        this.program = program;
        return this;
    }

    /** Makes the server a replica of the server, or of the proxy before one, on this port of 127.0.0.1. */
    public RedisServerBuilder replicaOf(int port) {
        return options("--replicaof", Ports.HOST, Integer.toString(port));
    }

    /**
     * Gives the server a clock that is ahead of this machine's by this, or behind if negative. Its timers run as ever.
     * Only where {@link RedisServer#canSetClock} says so. {@link RedisServer#setClock} changes it.
     */
    public RedisServerBuilder clock(Duration offset) {
        if (version != RedisServer.Version.V6_2) {
            throw new IllegalArgumentException("only 6.2 shows another clock: 7.0 is linked statically");
        }
        clock = offset;
        return this;
    }

    /** Makes the server a sentinel with these lines in its configuration file. */
    RedisServerBuilder sentinel(List<String> configuration) {
        sentinel = List.copyOf(configuration);
        return this;
    }

    /** Takes the ports from there, for the tests of what happens when they are taken. */
    RedisServerBuilder ports(IntSupplier ports) {
        this.ports = ports;
        return this;
    }

    /**
     * Starts the server and waits until it answers. Where its port is snatched away, it tries others.
     *
     * @throws BindException if the ports that it tried were all taken
     * @throws IOException if the server does not come up, with its log
     */
    public RedisServer start() throws IOException, InterruptedException {
        BindException taken = null;
        for (int attempt = 0; attempt < PORTS; attempt++) {
            RedisServer server = new RedisServer(this, ports.getAsInt());
            try {
                server.launch();
                return server;
            } catch (BindException e) {
                server.close();
                taken = e;
            } catch (IOException | InterruptedException e) {
                server.close();
                throw e;
            }
        }
        throw new BindException("none of " + PORTS + " ports was free; the last: " + taken);
    }

    boolean hasTls() {
        return certificates != null;
    }

    @Nullable
    Duration clock() {
        return clock;
    }

    List<String> command(Path directory, Path socket, int port) throws IOException {
        Path binary = program == null ? RedisBinary.of(version) : program;
        List<String> command = new ArrayList<>(List.of(binary.toString()));
        if (sentinel != null) {
            // A sentinel writes what it learns into its file.
            Path file = Files.write(directory.resolve("sentinel.conf"), sentinel);
            Collections.addAll(command, file.toString(), "--sentinel");
        }
        Collections.addAll(command, "--bind", Ports.HOST);
        Collections.addAll(command, "--dir", directory.toString(), "--unixsocket", socket.toString());
        Collections.addAll(command, "--save", "", "--appendonly", "no");
        // Over the disk a replica is served at once; otherwise the server waits for others to come.
        Collections.addAll(command, "--repl-diskless-sync", "no");
        // Before 7.0 DEBUG is there for everybody, and the option is unknown.
        if (version != RedisServer.Version.V6_2) {
            Collections.addAll(command, "--enable-debug-command", "yes");
        }
        Collections.addAll(command, "--user", RedisServer.CONTROL, "on", ">" + RedisServer.CONTROL);
        Collections.addAll(command, "~*", "&*", "+@all");
        if (certificates == null) {
            Collections.addAll(command, "--port", Integer.toString(port));
        } else {
            Collections.addAll(command, "--port", "0", "--tls-port", Integer.toString(port));
            Collections.addAll(command, "--tls-auth-clients", "no");
            Collections.addAll(
                    command, "--tls-ca-cert-file", certificates.caFile().toString());
            Collections.addAll(
                    command, "--tls-cert-file", certificates.certFile().toString());
            Collections.addAll(command, "--tls-key-file", certificates.keyFile().toString());
        }
        command.addAll(options);
        return command;
    }
}
