package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.StoreMisconfiguredException;
import io.belay.servers.Pace;
import io.belay.servers.ZooKeeperServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.security.auth.login.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logging in by SASL, as every ZooKeeper client does it: by the JVM's own configuration. */
@Tag("consensus")
class SaslTest {
    private static final String FILE = "java.security.auth.login.config";
    /** A client knows no DIGEST-MD5 in it. */
    private static final String FIPS = "zookeeper.fips-mode";

    private static final String SECTION = "zookeeper.sasl.clientconfig";

    /** A server is started meanwhile, and a login that fails is tried again after a pause. */
    private static final Duration PATIENCE = Pace.patience().multipliedBy(2);

    @TempDir
    private static Path directory;

    private static ZooKeeperServer server;

    @BeforeAll
    static void start() throws Exception {
        letShopLogInBy("s3cret");
        Path logins = directory.resolve("client.jaas");
        Files.writeString(
                logins,
                section("Client", "shop", "s3cret")
                        + section("Other", "other", "s3cret2")
                        + section("Wrong", "shop", "gu3ss"));
        server = ZooKeeperServer.start(
                List.of(
                        "authProvider.1=org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
                        "sessionRequireClientSASLAuth=true"),
                List.of("-D" + FILE + "=" + directory.resolve("server.jaas")));
        System.setProperty(FIPS, "false");
        System.setProperty(FILE, logins.toString());
        Configuration.setConfiguration(null); // so that the file is read
    }

    /** Sets the logins that the server accepts once it is started. */
    private static void letShopLogInBy(String password) throws IOException {
        Files.writeString(directory.resolve("server.jaas"), """
                Server {
                    org.apache.zookeeper.server.auth.DigestLoginModule required
                        user_shop="%s"
                        user_other="s3cret2";
                };
                """.formatted(password));
    }

    private static String section(String name, String user, String password) {
        return name + " { org.apache.zookeeper.server.auth.DigestLoginModule required username=\"" + user
                + "\" password=\"" + password + "\"; };\n";
    }

    @AfterAll
    static void end() {
        System.clearProperty(FILE);
        System.clearProperty(FIPS);
        Configuration.setConfiguration(null);
        server.close();
    }

    @AfterEach
    void usual() {
        System.clearProperty(SECTION);
    }

    private static Belay connect(String parameters) {
        return Belay.connect(server.url() + parameters);
    }

    @Test
    void whatALoginMakesIsThatLoginsAlone() throws Exception {
        try (Belay one = connect("/mine?acl=creator&timeout=1m");
                Belay two = connect("/mine?acl=creator&timeout=1m")) {
            one.lock("x").acquire().close();
            two.lock("x").acquire().close();
            System.setProperty(SECTION, "Other");
            try (Belay other = connect("/mine?acl=creator&timeout=1m")) {
                assertThatThrownBy(() -> other.lock("x").acquire())
                        .isInstanceOf(StoreMisconfiguredException.class)
                        .hasMessageContaining(" or at /mine/belay/x");
            }
        }
    }

    @Test
    void aWrongPasswordIsToldAtOnce() {
        System.setProperty(SECTION, "Wrong");
        assertThatThrownBy(() -> connect("?timeout=1m"))
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContaining("did not accept this client's credentials")
                .hasMessageNotContaining("gu3ss");
    }

    @Test
    void aLoginThatFailsWhenTheConnectionIsMadeAgainIsTriedAgain() throws Exception {
        try (Belay belay = connect("/again?timeout=1m")) {
            belay.lock("x").acquire().close();
            server.kill();
            letShopLogInBy("another");
            server.restart();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThatThrownBy(() -> belay.admin().inspect("x"))
                            .hasMessageContaining("did not accept this client's"));
            server.kill();
            letShopLogInBy("s3cret");
            server.restart();
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> belay.lock("x").acquire().close());
        }
    }

    @Test
    void whoDoesNotLogInIsAskedTo() {
        System.setProperty("zookeeper.sasl.client", "false");
        try {
            assertThatThrownBy(() -> connect("?timeout=1m"))
                    .isInstanceOf(StoreMisconfiguredException.class)
                    .hasMessageContaining("log in by SASL");
        } finally {
            System.clearProperty("zookeeper.sasl.client");
        }
    }
}
