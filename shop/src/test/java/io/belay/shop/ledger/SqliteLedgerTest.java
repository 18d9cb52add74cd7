package io.belay.shop.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteLedgerTest extends LedgerContract {
    @TempDir
    private Path directory;

    @Override
    String url() {
        return "jdbc:sqlite:" + directory.resolve("ledger.db");
    }

    @Test
    void aPageNeedNotWaitForThoseWhoSell() {
        try (Ledger ledger = Ledger.open(url(), null, null, 2)) {
            ledger.create("sku", 2);
            ledger.write(transaction -> {
                transaction.writeStock(Lot.whole("sku"), 1);
                assertThat(ledger.stock("sku")).contains(new Stock(2, 2, 0));
                return 1;
            });
            assertThat(ledger.stock("sku")).contains(new Stock(2, 1, 0));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:sqlite::memory:",
                "jdbc:sqlite:",
                "jdbc:sqlite:file::memory:?cache=shared",
                "jdbc:h2:x",
                "x"
            })
    void aDatabaseThatNodesCannotShareIsRefused(String url) {
        assertThatThrownBy(() -> Ledger.open(url, null, null, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFileThatIsNotADatabaseIsRefusedInOneLine() throws IOException {
        Path file = directory.resolve("other");
        Files.writeString(file, "something else, longer than a header of a hundred bytes ".repeat(10));
        assertThatThrownBy(() -> Ledger.open("jdbc:sqlite:" + file, null, null, 1))
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("not a database")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void aDirectoryThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> Ledger.open("jdbc:sqlite:" + directory.resolve("no/such/ledger.db"), null, null, 1))
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("no/such");
    }
}
