package io.belay.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/** The page in Debian's Chromium, as a person sees it. */
@Tag("browser")
@Tag("long")
class BrowserTest extends InBrowser {
    private static final String TOKEN = "a token that nobody guesses";
    private static final String HOSTILE = "<img src=x onerror=\"document.title='broken'\">";
    private static final Duration PROMISED = Duration.ofSeconds(1);

    private final String store = "memory:" + UUID.randomUUID();

    private static String row(String name) {
        return "[...document.querySelectorAll('#list .name')].find(one => one.textContent === \"" + name + "\")";
    }

    private Belay client(String name) {
        return Belay.connect(store, BelayOptions.defaults().withClientName(name));
    }

    static String script(String name) throws Exception {
        try (var in = BrowserTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aLockIsSeenWithinASecondAndAHoldIsEndedFromThePage() throws Exception {
        Premise.withLease(PROMISED, promised -> {
            leaveTheLastPage();
            seesALockAndEndsItsHold(promised);
        });
    }

    private void seesALockAndEndsItsHold(Duration promised) throws Exception {
        BlockingQueue<String> audit = new LinkedBlockingQueue<>();
        BlockingQueue<LeaseLostException> losses = new LinkedBlockingQueue<>();
        try (Dashboard dashboard = Dashboard.start(
                        store, DashboardOptions.local(0).withToken(TOKEN).withBreaking(audit::add));
                Belay first = client("shop-1");
                Belay second = client("shop-2")) {
            browser.show(1280, 900, false);
            browser.driver.get(dashboard.url());
            everybodyCanRead("the form for the token");
            browser.find("#token").sendKeys(TOKEN + Keys.ENTER);
            browser.until("document.getElementById('state').dataset.state === 'live'");
            assertThat(browser.complaints())
                    .as("what was refused before the token")
                    .hasSizeLessThan(2);

            first.lock("stock:0").acquire();
            browser.until(row("stock:0") + " !== undefined");
            AtomicReference<Lease> taken = new AtomicReference<>();
            browser.inTime(
                    promised,
                    () -> {
                        taken.set(first.lock("stock:1").acquire());
                        browser.until(row("stock:1") + " !== undefined");
                    },
                    "a lock that is taken is seen");
            Lease lease = taken.get();
            lease.onLost(losses::add);
            String name = lease.name();
            CompletableFuture<Lease> next = second.lock(name).acquireAsync().toCompletableFuture();
            browser.driver.executeScript(row(name) + ".closest('button').click()");
            browser.until("document.querySelectorAll('.claim').length === 2");
            assertThat(browser.value(
                            "[...document.querySelectorAll('.claim strong')].map(one => one.textContent).join()"))
                    .isEqualTo("shop-1,shop-2");
            browser.find(".actions button").click();
            everybodyCanRead("the question whether to end a hold");
            browser.find("#end-typed").sendKeys("stock:x");
            browser.find("#end-who").sendKeys("Ada");
            assertThat(browser.find("#end-go").isEnabled()).isFalse();
            browser.find("#end-typed").clear();
            browser.find("#end-typed").sendKeys(name);
            assertThat(browser.find("#end-go").isEnabled()).isTrue();
            browser.inTime(
                    promised,
                    () -> {
                        browser.find("#end-go").click();
                        browser.until("document.querySelectorAll('.claim').length < 2");
                    },
                    "a hold that is ended is gone");
            assertThat(losses.poll(Pace.seconds(), TimeUnit.SECONDS).getMessage())
                    .contains("for Ada from 127.0.0.1");
            assertThat(audit.peek()).contains(name, "Ada");
            assertThat(next.get(Pace.seconds(), TimeUnit.SECONDS).isHeld()).isTrue();
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void allHoldersAreNamedBeforeTheyAreEnded() throws Exception {
        BlockingQueue<String> audit = new LinkedBlockingQueue<>();
        try (Dashboard dashboard = Dashboard.start(
                        store, DashboardOptions.local(0).withToken(TOKEN).withBreaking(audit::add));
                Belay first = client("shop-1");
                Belay second = client("shop-2")) {
            Lease one = first.readWriteLock("stock:7").readLock().acquire();
            Lease other = second.readWriteLock("stock:7").readLock().acquire();
            browser.show(1280, 900, false);
            browser.driver.get(dashboard.url());
            browser.find("#token").sendKeys(TOKEN + Keys.ENTER);
            browser.until("document.querySelectorAll('.lock').length === 1");
            browser.find(".lock button").click();
            browser.until("document.querySelectorAll('.claim').length === 2");
            assertThat(browser.find(".actions button").getText()).startsWith("End all 2 holds");
            browser.find(".actions button").click();
            everybodyCanRead("the question whether to end two holds");
            assertThat(browser.find("#end-title").getText()).isEqualTo("End all 2 holds?");
            assertThat(browser.find("#end-holders").getText()).contains("shop-1@", "shop-2@");
            browser.find("#end-typed").sendKeys("stock:7");
            browser.find("#end-who").sendKeys("Ada");
            browser.find("#end-go").click();
            browser.until("!document.getElementById('end').open");
            assertThat(audit).as("before and behind each").hasSize(4);
            browser.until("document.querySelectorAll('.claim').length === 0");
            Awaitility.await().atMost(Pace.patience()).until(() -> !one.isHeld() && !other.isHeld());
        }
    }

    /** A relay's port is one that nobody else is given; the page's is another's that has ended. */
    @Test
    void aConnectionThatBreaksWithoutAWordIsToldAndMadeAnew() throws Exception {
        int port;
        try (TcpProxy former = TcpProxy.to(1)) {
            port = former.port();
        }
        try (TcpProxy relay = TcpProxy.to(port);
                Dashboard dashboard =
                        Dashboard.start(store, DashboardOptions.local(port).withHost("127.0.0.1:" + relay.port()));
                Belay client = client("shop-1")) {
            browser.show(1280, 900, false);
            browser.driver.get("http://127.0.0.1:" + relay.port() + "/");
            browser.until("document.getElementById('state').dataset.state === 'live'");
            relay.silence();
            browser.until("document.getElementById('state').dataset.state === 'away'");
            assertThat(browser.find("#state-text").getText())
                    .matches("No news from the dashboard since \\d\\d:\\d\\d:\\d\\d");
            relay.pass();
            browser.until("document.getElementById('state').dataset.state === 'live'");

            assertThat(relay.halfOpen()).isPositive();
            Lease lease = client.lock("stock:7").acquire();
            browser.until(row("stock:7") + " !== undefined");
            assertThat(dashboard.viewers()).isPositive();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    /** Checks that all texts stand out, and that all that can be used has a name. */
    private static void everybodyCanRead(String what) throws Exception {
        assertThat((List<?>) browser.driver.executeScript(script("unreadable.js")))
                .as("texts that do not stand out in %s", what)
                .isEmpty();
        assertThat((List<?>) browser.driver.executeScript(script("nameless.js")))
                .as("controls without a name in %s", what)
                .isEmpty();
    }

    @Test
    void namesOfStrangersAreText() throws Exception {
        try (Dashboard dashboard = Dashboard.start(store, DashboardOptions.local(0));
                Belay client = client("<b>shop</b>");
                Lease lease = client.lock(HOSTILE).acquire()) {
            browser.show(1280, 900, false);
            browser.driver.get(dashboard.url());
            browser.until("document.querySelectorAll('.lock').length === 1");
            assertThat(browser.value("document.querySelector('.name').textContent"))
                    .isEqualTo(HOSTILE);
            browser.find(".lock button").click();
            browser.until("document.querySelectorAll('.claim').length === 1");
            assertThat(browser.value("document.querySelectorAll('img, b b').length"))
                    .isEqualTo(0L);
            assertThat(browser.driver.getTitle()).isEqualTo("Belay locks");
            assertThat(browser.complaints()).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void anOutageIsToldAndEnds() throws Exception {
        try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0);
                Dashboard dashboard = Dashboard.start(server.url(), DashboardOptions.local(0))) {
            browser.show(1280, 900, false);
            browser.driver.get(dashboard.url());
            browser.until("document.getElementById('state').dataset.state === 'live'");
            server.kill();
            browser.until("document.getElementById('state').dataset.state === 'away'");
            assertThat(browser.find("#state-text").getText())
                    .matches("The store has not answered since \\d\\d:\\d\\d:\\d\\d");
            assertThat(browser.find("#why").isDisplayed()).isTrue();
            server.startAgain();
            browser.until("document.getElementById('state').dataset.state === 'live'");
            assertThat(browser.find("#why").isDisplayed()).isFalse();
        }
    }

    @Test
    void everybodyCanUseIt() throws Exception {
        try (Dashboard dashboard = Dashboard.start(store, DashboardOptions.local(0));
                StagedSale sale = new StagedSale(store, true)) {
            for (boolean dark : List.of(false, true)) {
                browser.show(1280, 900, dark);
                browser.driver.get(dashboard.url());
                browser.until("document.querySelectorAll('.lock').length > 2");
                browser.until("!document.getElementById('rings').hidden");
                browser.find(".lock button").click();
                browser.until("document.querySelectorAll('.claim').length > 0");
                everybodyCanRead(dark ? "the dark page" : "the light page");
            }
            assertThat(browser.value("performance.getEntriesByType('resource').map(one => new URL(one.name).origin)"
                            + ".every(one => one === location.origin)"))
                    .isEqualTo(true);
            assertThat(browser.value("document.documentElement.lang")).isEqualTo("en");
            assertThat(sale.isGoingOn()).isTrue();
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void theKeyboardGoesFromTopToBottom() throws Exception {
        // Nothing is told of them meanwhile that would change their order.
        LockOptions silent = LockOptions.defaults().withLease(Duration.ofHours(1));
        try (Dashboard dashboard = Dashboard.start(store, DashboardOptions.local(0));
                Belay client = client("shop-1");
                Lease one = client.lock("a", silent).acquire();
                Lease two = client.lock("b", silent).acquire()) {
            browser.show(1280, 900, false);
            browser.driver.get(dashboard.url());
            browser.until("document.querySelectorAll('.lock').length === 2");
            for (String expected : List.of("skip", "search", "a", "b")) {
                browser.driver.switchTo().activeElement().sendKeys(Keys.TAB);
                assertThat(browser.value("(one => one.className || one.id || one.querySelector('.name').textContent)"
                                + "(document.activeElement)"))
                        .isEqualTo(expected);
                assertThat(browser.value("getComputedStyle(document.activeElement).outlineStyle"))
                        .as("the focus is shown")
                        .isEqualTo("solid");
            }
            browser.driver.switchTo().activeElement().sendKeys(Keys.ARROW_UP);
            browser.driver.switchTo().activeElement().sendKeys(Keys.ENTER);
            browser.until("document.activeElement.getAttribute('aria-expanded') === 'true'");
            browser.until("document.querySelectorAll('.claim').length === 1");
            browser.driver.switchTo().activeElement().sendKeys("/");
            browser.driver.switchTo().activeElement().sendKeys("b");
            browser.until("[...document.querySelectorAll('.name')].map(one => one.textContent).join() === 'b,a'");
            browser.driver.switchTo().activeElement().sendKeys(Keys.ARROW_DOWN);
            assertThat(browser.value("document.activeElement.querySelector('.name')?.textContent"))
                    .isEqualTo("b");
            assertThat(List.of(one, two)).allMatch(Lease::isHeld);
        }
    }

    @Test
    void aLongNameLeavesRoomForOthersUntilItsRowIsOpened() throws Exception {
        try (Dashboard dashboard = Dashboard.start(store, DashboardOptions.local(0));
                Belay client = client("shop-1");
                Lease lease = client.lock("stock/".repeat(80)).acquire()) {
            browser.show(1280, 900, false);
            browser.driver.get(dashboard.url());
            browser.until("document.querySelectorAll('.lock').length === 1");
            String lines = "Math.round(document.querySelector('.name').getBoundingClientRect().height"
                    + " / parseFloat(getComputedStyle(document.querySelector('.name')).fontSize))";
            assertThat((Long) browser.value(lines))
                    .as("lines of the closed row")
                    .isBetween(3L, 5L);
            browser.find(".lock button").click();
            browser.until("document.querySelectorAll('.claim').length === 1");
            assertThat((Long) browser.value(lines)).as("lines of the open row").isGreaterThan(8L);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    /** Takes the pictures of docs/dashboard.md, into the directory that the property names. */
    @ParameterizedTest
    @CsvSource({"dashboard-dark, 1280, 860, true", "dashboard-narrow, 390, 860, false"})
    void thePicturesOfTheDocs(String picture, int width, int height, boolean dark) throws Exception {
        Path to = Path.of(System.getProperty("belay.pictures", "target/pictures"));
        String shop = "memory:shop";
        // The dark one shows a deadlock, too.
        try (Dashboard dashboard = Dashboard.start(shop, DashboardOptions.local(0));
                StagedSale sale = new StagedSale(shop, dark)) {
            browser.show(width, height, dark);
            browser.driver.get(dashboard.url());
            browser.until("document.querySelectorAll('.lock').length > 2");
            browser.driver.executeScript(row("stock:item") + ".closest('button').click()");
            browser.until("document.querySelectorAll('.claim').length > 2");
            browser.until("document.querySelectorAll('#changes li').length > 7 && history.waiters.length > 12");
            if (width < height) {
                browser.driver.executeScript("document.querySelector('.locks').scrollIntoView()");
            }
            browser.picture(to.resolve(picture + ".png"));
            assertThat(to.resolve(picture + ".png")).isNotEmptyFile();
            assertThat(sale.isGoingOn()).isTrue();
        }
    }
}
