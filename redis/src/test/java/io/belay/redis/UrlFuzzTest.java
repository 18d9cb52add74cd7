package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Fuzz;
import io.belay.spi.StoreException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Random URLs: each is read, or refused in one line that holds no password. A round that fails names its seed;
 * {@code -Dbelay.seed} gives it again, and {@code -Dbelay.fuzz=100} runs a hundred times as many.
 */
class UrlFuzzTest {
    /** The passwords have a character that no host has: in a URL with letters missing one may stand where a host does. */
    private static final List<String> URLS = List.of(
            "redis://cache",
            "redis://user:geh!eim@cache:6380/3?timeout=2s&prefix=a:&protocol=resp2&replicas=1&replica-timeout=50ms",
            "rediss://:geh!eim@[2001:db8::7]:6380/2?ca=/a.pem&cert=/b.pem&key=/c.pem&verify=ca",
            "unix:/run/redis.sock?db=3&user=a&password=geh!eim&timeout=1m",
            "unix:/run/redis.sock?user=a&password=x%26y&geh!eim=1",
            "redis-cluster://app:geh!eim@a:1,b,[::1]:3?prefix=x",
            "rediss-sentinel://u:geh!eim@a,b:2/1?master=m&sentinel-user=s&sentinel-password=geh!eim&replicas=1",
            "redis-sentinel://a,b:2/1?sentinel-password=a&geh!eim=b&master=m&geh!eim=%zz");

    @Test
    void urls() {
        Fuzz.rounds(10_000, random -> {
            String url = Fuzz.text(random, URLS.get(random.nextInt(URLS.size())));
            try {
                Settings settings = Settings.parse(url);
                assertOneLine(settings.toString());
                assertThat(settings.addresses()).allMatch(address -> address.port() > 0 && address.port() <= 0xffff);
                for (Address address : settings.addresses()) {
                    Settings one = settings.sentinels() ? settings.at(address) : settings;
                    assertThat(one.uri(one.credentials())).isNotNull();
                }
                String said = settings.line("said: no such command AUTH " + settings.password());
                assertOneLine(new Failures(settings).reply("ERR " + said, "x").getMessage());
            } catch (StoreException e) {
                assertThat(e.isTemporary()).isFalse();
                assertOneLine(e.getMessage());
                assertThat(e.getCause()).isNull();
            }
        });
    }

    private static void assertOneLine(String message) {
        assertThat(message).isNotBlank().doesNotContain("geh!eim", "Exception").hasSizeLessThan(2000);
        assertThat(message.chars().filter(Character::isISOControl)).isEmpty();
    }
}
