package io.belay.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.ServerSocket;
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
