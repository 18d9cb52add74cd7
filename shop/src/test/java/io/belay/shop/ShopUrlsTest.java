package io.belay.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class ShopUrlsTest {
    private static ShopUrls urls(Map<String, Object> variables, Map<String, Object> file) {
        StandardEnvironment environment = new StandardEnvironment();
        String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        environment.getPropertySources().replace(name, new SystemEnvironmentPropertySource(name, variables));
        environment.getPropertySources().addLast(new MapPropertySource("a file", file));
        ConfigurationPropertySources.attach(environment);
        return ShopUrls.of(environment);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://:${PW}@host", "redis://:${BELAY_SHOP_STORE}@host", "file:\\${PW}", "file:${NO:x}"})
    void springLeavesThemAsTheyAre(String url) {
        ShopUrls urls =
                urls(Map.of("BELAY_SHOP_STORE", url, "PW", "${PW}"), Map.of("belay.shop.ledger", url, "NO", "wrong"));
        assertThat(urls.store()).isEqualTo(url);
        assertThat(urls.ledger()).isEqualTo(url);
    }

    @Test
    void theEnvironmentComesBeforeAFile() {
        assertThat(urls(Map.of("BELAY_SHOP_STORE", "memory:a"), Map.of("belay.shop.store", "memory:b"))
                        .store())
                .isEqualTo("memory:a");
    }

    @Test
    void oneThatIsMissingIsNamed() {
        ShopUrls urls = urls(Map.of("BELAY_SHOP_STORE", " "), Map.of());
        assertThatThrownBy(urls::store).hasMessageContainingAll("belay.shop.store", "BELAY_SHOP_STORE", "not set");
        assertThatThrownBy(urls::ledger).hasMessageContainingAll("belay.shop.ledger", "BELAY_SHOP_LEDGER", "not set");
    }
}
