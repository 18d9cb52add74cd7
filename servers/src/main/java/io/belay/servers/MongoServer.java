package io.belay.servers;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server that talks MongoDB's protocol: the one whose URL is in the environment variable
 * {@code BELAY_TEST_MONGODB}, or else mongo-java-server in a JVM of its own, which is to be on the class path of
 * the tests that start it. That one keeps nothing: after {@link #kill} all it had is lost. It has change streams,
 * but neither sessions nor transactions, no replicas and no users; and an update cannot be a pipeline. Linearizable reads it
 * refuses as a server alone does, and a change stream with a read concern but "majority".
 */
public final class MongoServer extends ServerProcess {
    private static final String VARIABLE = "BELAY_TEST_MONGODB";

    private final @Nullable String given;
    private final @Nullable Certificates certificates;

    private MongoServer(@Nullable String given, @Nullable Certificates certificates) throws IOException {
        super("mongo");
        this.given = given;
        this.certificates = certificates;
    }

    /** Starts a server and waits until it can be connected to, unless one is given. */
    public static MongoServer start() throws IOException, InterruptedException {
        return started(new MongoServer(System.getenv(VARIABLE), null));
    }

    /** Starts a server that is reached by TLS alone, and never the one that is given. */
    public static MongoServer start(Certificates certificates) throws IOException, InterruptedException {
        return started(new MongoServer(null, certificates));
    }

    private static MongoServer started(MongoServer server) throws IOException, InterruptedException {
        try {
            if (server.canBeKilled()) {
                server.launchSomewhere();
            }
            return server;
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /**
     * Returns whether the server was started here. One that was given can only be connected to, and may hold what
     * others have left there.
     */
    public boolean canBeKilled() {
        return given == null;
    }

    /** {@code mongodb://...} */
    public String url() {
        return given == null ? "mongodb://" + Ports.HOST + ":" + port() : given;
    }

    @Override
    List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                ChildJvm.classPath(MongoProgram.class),
                MongoProgram.class.getName(),
                Integer.toString(port())));
        if (certificates != null) {
            command.add(certificates.keyFile().toString());
            command.add(certificates.certFile().toString());
        }
        return command;
    }

    @Override
    boolean isReady(long pid) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(Ports.address(port()));
            return true;
        } catch (ConnectException e) {
            return false;
        }
    }
}
