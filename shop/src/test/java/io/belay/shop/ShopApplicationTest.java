package io.belay.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.belay.servers.ChildJvm;
import io.belay.servers.CommandRun;
import io.belay.servers.Pace;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;

/** What a node tells that cannot start. */
class ShopApplicationTest {
    @TempDir
    private Path directory;

    private String reason(String... settings) {
        Throwable failure = catchThrowable(() -> SpringApplication.run(ShopApplication.class, settings));
        assertThat(failure).isNotNull();
        return ShopApplication.reason(failure);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "belay.shop.stock=lots | belay.shop.stock: For input string: \"lots\"",
                "belay.shop.guard=perhaps | belay.shop.guard: Invalid boolean value 'perhaps'",
                "belay.shop.wait=P5X | belay.shop.wait: Text cannot be parsed to a Duration",
                "belay.shop.stock=0 | belay.shop.stock must be at least 1",
                "belay.shop.store= | belay.shop.store (BELAY_SHOP_STORE) is not set: the URL of the store of locks"
            })
    void aWrongSettingIsNamed(String setting, String told) {
        assertThat(reason(
                        "--server.port=0",
                        "--belay.shop.ledger=jdbc:sqlite:" + directory.resolve("x.db"),
                        "--" + setting))
                .isEqualTo(told);
    }

    /** Its parent may be killed at any time, also while it waits for a ledger that does not answer. */
    @Test
    void aNodeThatStartsEndsWithItsParent() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            silent.setSoTimeout((int) Pace.patience().toMillis());
            ProcessBuilder node = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    ChildJvm.classPath(ShopApplicationTest.class),
                    ShopApplication.class.getName(),
                    "--server.port=0",
                    "--belay.shop.stop-with-parent=true",
                    "--belay.shop.strategy=none",
                    "--belay.shop.ledger=jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/shop");
            Process started = node.redirectErrorStream(true).start();
            try (Socket asked = silent.accept()) {
                started.getOutputStream().close();
                CommandRun run = CommandRun.of(started);
                assertThat(run.exitCode()).as(run.output()).isZero();
            } finally {
                started.destroyForcibly();
            }
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            assertThat(reason(
                            "--server.port=" + taken.getLocalPort(),
                            "--belay.shop.strategy=none",
                            "--belay.shop.ledger=jdbc:sqlite:" + directory.resolve("ledger.db")))
                    .isEqualTo("Port " + taken.getLocalPort()
                            + " is already in use: set SERVER_PORT to another one, or to 0 for one that is free");
        }
    }
}
