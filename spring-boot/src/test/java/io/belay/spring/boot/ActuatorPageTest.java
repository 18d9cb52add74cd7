package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.dashboard.Browser;
import io.belay.servers.Pace;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The page under the actuator of a running application, in Debian's Chromium. */
@Tag("browser")
@Tag("long")
class ActuatorPageTest {
    @Test
    void itShowsTheApplicationsLocksAndClientAndEndsAHold() throws Exception {
        List<String> arguments = List.of(
                "--belay.url=memory:" + UUID.randomUUID(),
                "--belay.client-name=shop-1",
                "--management.endpoints.web.exposure.include=belay",
                "--management.endpoint.belay.access=unrestricted");
        try (Browser browser = Browser.start();
                ConfigurableApplicationContext application = WebApplication.run(arguments)) {
            BlockingQueue<LeaseLostException> losses = new LinkedBlockingQueue<>();
            Lease lease = application.getBean(Belay.class).lock("stock:7").acquire();
            lease.onLost(losses::add);
            int port =
                    ((WebServerApplicationContext) application).getWebServer().getPort();
            browser.show(1280, 900, false);
            browser.driver.get("http://127.0.0.1:" + port + "/actuator/belay");
            browser.until("document.getElementById('state').dataset.state === 'live'");
            browser.until("document.querySelectorAll('.lock').length === 1");
            assertThat(browser.value("document.querySelector('.name').textContent"))
                    .isEqualTo("stock:7");
            browser.until("document.getElementById('clients').textContent.includes('shop-1')");
            browser.find(".lock button").click();
            browser.until("document.querySelectorAll('.claim').length === 1");

            browser.find(".actions button").click();
            browser.find("#end-typed").sendKeys("stock:7");
            browser.find("#end-who").sendKeys("Ada");
            browser.find("#end-go").click();
            assertThat(losses.poll(Pace.seconds(), TimeUnit.SECONDS).getMessage())
                    .contains("for Ada from the actuator");
            browser.until("document.querySelectorAll('.claim').length === 0");
            assertThat(browser.value("performance.getEntriesByType('resource').map(one => new URL(one.name).origin)"
                            + ".every(one => one === location.origin)"))
                    .isEqualTo(true);
            assertThat(browser.complaints()).isEmpty();
        }
    }
}
