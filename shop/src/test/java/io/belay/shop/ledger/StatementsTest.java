package io.belay.shop.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StatementsTest {
    @ParameterizedTest
    @EnumSource
    void everyDialectHasFourTables(Dialect dialect) {
        assertThat(Statements.of(dialect).schema().stream().filter(sql -> sql.startsWith("CREATE TABLE")))
                .hasSize(4);
    }

    @Test
    void aDialectSaysSomeThingsInItsOwnWords() {
        assertThat(Statements.of(Dialect.SQLITE).get("stock.create")).contains("ON CONFLICT");
        assertThat(Statements.of(Dialect.MYSQL).get("stock.create")).contains("INSERT IGNORE");
        assertThat(Statements.of(Dialect.MYSQL).get("stock.write"))
                .isEqualTo(Statements.of(Dialect.POSTGRESQL).get("stock.write"))
                .isEqualTo("UPDATE belay_stock SET remaining = ? WHERE sku = ? AND segment = ?");
    }

    @Test
    void aNameThatIsNotThereIsAMistake() {
        assertThatThrownBy(() -> Statements.of(Dialect.SQLITE).get("nix")).hasMessageContaining("nix");
    }
}
