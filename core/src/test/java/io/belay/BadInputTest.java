package io.belay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.recipes.StripedLock;
import io.belay.servers.Pace;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Bad input gets one line that names the culprit and the cure, and changes nothing. */
class BadInputTest {
    private final Belay belay = Belay.connect("memory:" + UUID.randomUUID());

    @AfterEach
    void close() {
        belay.close();
    }

    private static String refusal(Runnable body, Class<? extends RuntimeException> type) {
        try {
            body.run();
        } catch (RuntimeException e) {
            assertThat(e).isExactlyInstanceOf(type);
            assertThat(e.getMessage()).doesNotContain("\n");
            return e.getMessage();
        }
        throw new AssertionError("nothing was refused");
    }

    private String refusedName(String name) {
        return refusal(() -> belay.lock(name), IllegalArgumentException.class);
    }

    @Test
    void namesHave1To512BytesAndNoControlCharacters() {
        assertThat(refusedName("")).contains("empty");
        assertThat(refusedName("a\nb")).contains("control character", "0xa", "position 1");
        assertThat(refusedName("\u0000")).contains("0x0");
        assertThat(refusedName("a\u0085")).contains("0x85");
        assertThat(refusedName("x\ud800")).contains("surrogate");
        assertThat(refusedName("x".repeat(513))).contains("513");
        assertThat(refusedName("\u00fc".repeat(257))).contains("514");
        assertThat(refusal(() -> belay.namespace("n".repeat(500)).lock("123456789012"), IllegalArgumentException.class))
                .contains("513");
        belay.lock("x".repeat(512));
        belay.lock("\ud83d\ude00 a/b\\..%#");
    }

    @ParameterizedTest
    @CsvSource({"PT0S", "PT-1S", "PT0.0000001S", "P3660D"})
    void durationsOutOfRangeAreRefusedWithTheirValue(Duration duration) {
        LockOptions options = LockOptions.defaults();
        assertThat(refusal(() -> options.withLease(duration), IllegalArgumentException.class))
                .contains("lease is " + duration);
        refusal(() -> options.withFixedLease(duration), IllegalArgumentException.class);
        refusal(() -> options.withMaxHold(duration), IllegalArgumentException.class);
        refusal(() -> options.withSlice(duration), IllegalArgumentException.class);
        refusal(() -> BelayOptions.defaults().withRequestTimeout(duration), IllegalArgumentException.class);
        assertThat(refusal(() -> belay.once("x", duration), IllegalArgumentException.class))
                .isEqualTo("The period of 'x' is " + duration + ", but must be from PT0.001S to PT8760H");
    }

    @Test
    void aClientIsShownByItsNameOnOneLine() {
        BelayOptions options = BelayOptions.defaults().withClientName("a\nb");
        try (Belay named = Belay.connect("memory:shown", options)) {
            assertThat(named).hasToString("Belay of a?b");
            assertThat(named.admin()).hasToString("Belay of a?b");
            assertThat(named.namespace("shop").onBehalfOf("c")).hasToString("Belay of a?b, shop:");
        }
    }

    @Test
    void aClientWithoutANameIsRefused() {
        for (String blank : List.of("", " ")) {
            assertThatThrownBy(() -> BelayOptions.defaults().withClientName(blank))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("clientName is blank");
        }
    }

    @Test
    void aNegativeWaitIsRefused() {
        DistributedLock lock = belay.lock("x");
        assertThatThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> lock.tryAcquireAsync(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        StripedLock free = StripedLock.of(belay, "x", 2);
        assertThatThrownBy(() -> free.tryAcquireAny(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String refusedUrl(String url) {
        return refusal(() -> Belay.connect(url), StoreMisconfiguredException.class);
    }

    @Test
    void unknownSchemesAreNamedAndNoPasswordIsPrinted() {
        assertThat(refusedUrl("rediss-typo://user:secret@host/"))
                .contains("'rediss-typo:'", "memory:")
                .doesNotContain("secret");
        assertThat(refusedUrl("secret")).contains("no scheme").doesNotContain("secret");
        assertThat(refusedUrl("")).contains("no scheme");
        for (String url : new String[] {"secret@host:6379", "secret:x@host", "secret:6379", ":secret@host"}) {
            assertThat(refusedUrl(url)).contains("no scheme").doesNotContain("secret");
        }
        assertThat(refusedUrl("memory:")).contains("memory:NAME");
    }

    @ParameterizedTest
    @CsvSource({
        "file:/secret, belay-file",
        "'quorum:redis://:secret@a,redis://b', belay-quorum",
        "redis://:secret@host, belay-redis",
        "rediss://:secret@host, belay-redis",
        "unix:/secret, belay-redis",
        "redis-cluster://:secret@host, belay-redis",
        "rediss-cluster://:secret@host, belay-redis",
        "redis-sentinel://:secret@host?master=m, belay-redis",
        "rediss-sentinel://:secret@host?master=m, belay-redis",
        "etcd://u:secret@host, belay-etcd",
        "etcds://u:secret@host, belay-etcd",
        "zookeeper://u:secret@host, belay-zookeeper",
        "zookeepers://u:secret@host, belay-zookeeper",
        "jdbc:postgresql://host/db?password=secret, belay-jdbc",
        "jdbc:mysql://host/db?password=secret, belay-jdbc",
        "jdbc:mariadb://host/db?password=secret, belay-jdbc",
        "jdbc:h2:/secret, belay-jdbc",
        "jdbc:sqlite:/secret, belay-jdbc",
        "mongodb://u:secret@host/db, belay-mongodb",
        "mongodb+srv://u:secret@host/db, belay-mongodb",
        "FILE:/secret, belay-file"
    })
    void theArtifactOfAStoreThatIsMissingIsNamed(String url, String artifact) {
        String scheme = url.substring(0, url.indexOf(':')).toLowerCase(Locale.ROOT);
        assertThat(refusedUrl(url))
                .isEqualTo("The store for " + scheme + ": is missing: add " + artifact
                        + " to the class or module path (in one jar made of all: merge META-INF/services; by jlink: add its"
                        + " module)");
        assertThat(refusal(() -> BelayAdmin.examine(url), StoreMisconfiguredException.class))
                .isEqualTo(refusedUrl(url));
    }

    /** Its jar is surely there, but may have been made one with others, without the file that names its store. */
    @Test
    void theStoreInMemoryMayBeMissingToo() throws Exception {
        URL[] classes = {
            Belay.class.getProtectionDomain().getCodeSource().getLocation(),
            LoggerFactory.class.getProtectionDomain().getCodeSource().getLocation()
        };
        class Shaded extends URLClassLoader {
            Shaded() {
                super(classes, null); // the platform's finds Belay itself where that is a named module
            }

            @Override
            public Enumeration<URL> findResources(String name) throws IOException {
                return name.startsWith("META-INF/services")
                        ? Collections.emptyEnumeration()
                        : super.findResources(name);
            }
        }
        try (Shaded loader = new Shaded()) {
            Method connect = loader.loadClass(Belay.class.getName()).getMethod("connect", String.class);
            assertThatThrownBy(() -> connect.invoke(null, "memory:x"))
                    .rootCause()
                    .hasMessageStartingWith("The store for memory: is missing: add belay-core")
                    .hasMessageContaining("in one jar made of all: merge META-INF/services");
        }
    }

    @Test
    void anEnvironmentVariableThatIsNotSetIsNamed() {
        assertThat(refusedUrl("memory:${BELAY_SURELY_NOT_SET}")).contains("BELAY_SURELY_NOT_SET", "not set");
        try (Belay expanded = Belay.connect("memory:${PATH}")) {
            assertThat(expanded.lock("x").tryAcquire()).isPresent();
        }
    }

    @Test
    void aClosedClientSaysSo() {
        belay.close();
        belay.close();
        refusal(() -> belay.lock("x").tryAcquire(), ClientClosedException.class);
        for (CompletableFuture<?> later : List.of(
                belay.lock("x").acquireAsync(),
                belay.lock("x").tryAcquireAsync(),
                belay.lock("x").tryAcquireAsync(Duration.ofMinutes(1)))) {
            assertThat(later)
                    .failsWithin(Pace.patience())
                    .withThrowableThat()
                    .withCauseInstanceOf(ClientClosedException.class);
        }
        refusal(() -> belay.admin().inspect("x"), ClientClosedException.class);
        refusal(() -> belay.admin().forceRelease("x"), ClientClosedException.class);
        StoreHealth health = belay.admin().health();
        assertThat(health.answering()).isFalse();
        assertThat(health.failure()).contains("the client was closed");
    }
}
