package io.belay.flashsale;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.dashboard.Browser;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Watches a sale as the documentation says, by its page in Debian's Chromium, and takes the first picture of docs/dashboard.md, into the
 * directory that the property {@code belay.pictures} names.
 */
@Tag("browser")
@Tag("long")
class SalePictureTest {
    private static final String BEGIN = "watch the locks at ";

    @TempDir
    private Path directory;

    private static String row() {
        return "[...document.querySelectorAll('#list .name')].find(one => one.textContent.startsWith('stock:item'))";
    }

    @Test
    void aSaleIsWatchedLive() throws Exception {
        Path picture = Path.of(System.getProperty("belay.pictures", "target/pictures"), "dashboard-light.png");
        Process process = SaleProcess.start(
                Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + directory),
                "flash-sale --page --nodes 3 --stock 120 --orders 150 --clients 24".split(" ", -1));
        try (Browser browser = Browser.start();
                BufferedReader output = process.inputReader()) {
            String line = output.readLine();
            while (line != null && !line.startsWith(BEGIN)) {
                line = output.readLine();
            }
            assertThat(line).as("where the page is").isNotNull();
            browser.show(1280, 860, false);
            browser.driver.get(line.substring(BEGIN.length()));
            browser.until(row() + " !== undefined");
            browser.driver.executeScript(row() + ".closest('button').click()");
            browser.until("document.querySelectorAll('.claim').length > 2");
            browser.until("document.querySelectorAll('#changes li').length > 7 && history.waiters.length > 12");
            browser.picture(picture);
            assertThat(picture).isNotEmptyFile();
            assertThat(browser.complaints()).isEmpty();
            List<String> rest = output.lines().toList();
            assertThat(process.waitFor()).as(String.join("\n", rest)).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
