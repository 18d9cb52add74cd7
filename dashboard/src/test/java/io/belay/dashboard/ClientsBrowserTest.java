package io.belay.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.servers.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What clients say of themselves, in Debian's Chromium: each figure with whose it is, and none of those who do not answer. */
@Tag("browser")
@Tag("long")
class ClientsBrowserTest extends InBrowser {
    private static final String HOSTILE = "<img src=x onerror=\"document.title='broken'\">";

    private final ClientEvents events = ClientEvents.create();

    private static String text(String css) {
        return (String) browser.value("document.querySelector('" + css + "').innerText");
    }

    @Test
    void aLossAndAnOutageAreToldWithTheirReasons() throws Exception {
        BelayOptions options = events.listenTo(BelayOptions.defaults().withClientName(HOSTILE));
        try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0);
                Belay belay = Belay.connect(server.url(), options);
                Dashboard application = Dashboard.start(belay, events, DashboardOptions.local(0));
                Dashboard dashboard = Dashboard.start(
                        server.url(),
                        DashboardOptions.local(0)
                                .withClient(application.url() + "client")
                                .withClient("http://127.0.0.1:1/client"))) {
            browser.show(1280, 900, false);
            browser.driver.get(dashboard.url());
            browser.until("document.querySelectorAll('.client').length === 2");
            Lease lease = belay.lock("stock:7").acquire();
            assertThat(belay.onBehalfOf("Ada").admin().forceRelease("stock:7")).isTrue();
            browser.until("document.querySelectorAll('.happened li').length > 0");
            assertThat(lease.isHeld()).isFalse();
            assertThat(text(".client"))
                    .contains(HOSTILE, application.url() + "client", "lost stock:7", "Ada", "1 forced");
            assertThat(text(".client:nth-child(2)"))
                    .contains("unknown", "http://127.0.0.1:1/client", "Does not answer; asked since")
                    .doesNotContain("Acquired a second", "p99");
            assertThat(browser.value("document.querySelectorAll('.client img').length"))
                    .isEqualTo(0L);
            browser.until("document.querySelector('.client dd').innerText.match(/^[0-9]/) !== null");

            server.kill();
            assertThat(belay.lock("stock:8").tryAcquireAsync()).isNotNull();
            browser.until("document.querySelector('.client').innerText.includes('store away')");
            browser.until("document.querySelector('.client').innerText.includes('until now')");
            server.startAgain();
            browser.until("!document.querySelector('.client').innerText.includes('until now')");
            assertThat(text(".client")).contains("store away").containsPattern("for \\d+");

            application.close();
            browser.until("document.querySelector('.client').innerText.includes('Has not answered since')");
            assertThat(text(".client")).contains("lost stock:7");
            assertThat(browser.driver.getTitle()).isEqualTo("Belay locks");
        }
    }

    /** As of instances behind one address; what is behind the question mark is not shown. */
    @Test
    void addressesThatDifferBehindTheQuestionMarkAreTwoCards() throws Exception {
        String store = "memory:" + UUID.randomUUID();
        try (Belay belay = Belay.connect(store, events.listenTo(BelayOptions.defaults()));
                Dashboard application = Dashboard.start(belay, events, DashboardOptions.local(0));
                Dashboard dashboard = Dashboard.start(
                        store,
                        DashboardOptions.local(0)
                                .withClient(application.url() + "client?a")
                                .withClient(application.url() + "client?b"))) {
            browser.driver.get(dashboard.url());
            browser.until("document.querySelectorAll('.client').length === 2");
            browser.until("[...clientCards.values()].every(card => card.figures.rate.samples.length > 1)");
            assertThat(text("#clients-list")).doesNotContain("?");
        }
    }

    @Test
    void everybodyCanReadIt() throws Exception {
        String store = "memory:" + UUID.randomUUID();
        try (Belay belay = Belay.connect(store, events.listenTo(BelayOptions.defaults()));
                Dashboard application = Dashboard.start(
                        belay, events, DashboardOptions.local(0).withClient("http://127.0.0.1:1/client"))) {
            Lease lease = belay.lock("stock:7").acquire();
            assertThat(belay.admin().forceRelease("stock:7")).isTrue();
            for (boolean dark : List.of(false, true)) {
                for (int width : List.of(1280, 390)) {
                    browser.show(width, 900, dark);
                    browser.driver.get(application.url());
                    browser.until("document.querySelectorAll('.happened li').length > 0");
                    browser.until("document.querySelectorAll('.client .danger-text').length > 1");
                    assertThat((List<?>) browser.driver.executeScript(BrowserTest.script("unreadable.js")))
                            .as("texts that do not stand out, dark: %s", dark)
                            .isEmpty();
                    assertThat((List<?>) browser.driver.executeScript(BrowserTest.script("nameless.js")))
                            .as("controls without a name")
                            .isEmpty();
                    assertThat(browser.value("document.documentElement.scrollWidth <= " + width))
                            .as("wider than %s", width)
                            .isEqualTo(true);
                }
            }
            assertThat(text("#no-findings")).startsWith("The doctor was not asked");
            assertThat(text("#sources")).startsWith("Losses, outages, rates and waits are told by the clients");
            assertThat(lease.isHeld()).isFalse();
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** Takes a picture of docs/dashboard.md, into the directory that the property names. */
    @Test
    void thePictureOfTheDocs() throws Exception {
        Path picture = Path.of(System.getProperty("belay.pictures", "target/pictures"), "dashboard-clients.png");
        String store = "memory:" + UUID.randomUUID();
        ClientEvents other = ClientEvents.create();
        AtomicBoolean goesOn = new AtomicBoolean(true);
        try (Belay first = Belay.connect(
                        store, events.listenTo(BelayOptions.defaults().withClientName("shop-1")));
                Belay second = Belay.connect(
                        store, other.listenTo(BelayOptions.defaults().withClientName("shop-2")));
                Dashboard one = Dashboard.start(first, events, DashboardOptions.local(0));
                Dashboard two = Dashboard.start(second, other, DashboardOptions.local(0));
                Dashboard dashboard = Dashboard.start(
                        store,
                        DashboardOptions.local(0)
                                .withClient(one.url() + "client")
                                .withClient(two.url() + "client"))) {
            List<Thread> buyers = new ArrayList<>();
            for (Belay belay : List.of(first, second, first, second, first)) {
                Thread buyer = new Thread(() -> buy(belay, goesOn));
                buyers.add(buyer);
                buyer.start();
            }
            browser.show(1280, 900, false);
            browser.driver.get(dashboard.url());
            browser.until("clientCards.size === 2 && [...clientCards.values()][0].figures.p99.samples.length > 20");
            first.lock("report").acquire();
            assertThat(first.onBehalfOf("Ada").admin().forceRelease("report")).isTrue();
            browser.until("document.querySelectorAll('.happened li').length > 0");
            goesOn.set(false);
            for (Thread buyer : buyers) {
                buyer.join();
            }
            assertThat(text(".client .figures div:nth-child(3)"))
                    .as("the slowest waits of five buyers, which a busy machine may make seconds")
                    .containsPattern("\\s(over )?\\d[\\d.]* (ms|s)\\b");
            browser.pictureOf("#clients", picture);
            assertThat(picture).isNotEmptyFile();
        }
    }

    private static void buy(Belay belay, AtomicBoolean goesOn) {
        Random random = new Random(belay.hashCode());
        try {
            while (goesOn.get()) {
                try (Lease lease = belay.lock("stock:item").acquire()) {
                    Thread.sleep(5 + random.nextInt(25));
                    assertThat(lease.isHeld()).isTrue();
                }
                Thread.sleep(random.nextInt(60));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
