package io.belay.dashboard;

import io.belay.servers.Pace;
import io.belay.servers.Premise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Debian's Chromium, and its driver, which come from one source. The driver is named, or Selenium would look for one in the net. */
public final class Browser implements AutoCloseable {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

    /** A script that does nothing is done in a fraction of that on a machine with nothing else to do. */
    private static final Duration QUICK = Duration.ofMillis(40);

    private static final int NOTHINGS = 5;

    public final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    public static Browser start() {
        Assumptions.assumeTrue(
                Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER),
                "chromium and chromedriver are missing (Debian: apt-get install chromium chromium-driver)");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.toFile());
        options.addArguments("--headless=new", "--no-sandbox", "--hide-scrollbars", "--disable-dev-shm-usage");
        options.setCapability("goog:loggingPrefs", Map.of("browser", "ALL"));
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .usingAnyFreePort()
                .build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.manage().timeouts().scriptTimeout(Pace.patience());
        return new Browser(driver);
    }

    /** Sets the size of the window, and whether the user wants dark colours. */
    public void show(int width, int height, boolean dark) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    public WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    /** Waits until an expression of JavaScript is true of the page. */
    public void until(String expression) {
        new WebDriverWait(driver, Pace.patience(), Duration.ofMillis(20))
                .withMessage(expression)
                .until(any -> Boolean.TRUE.equals(driver.executeScript("return " + expression)));
    }

    /**
     * Does something, and checks that it was done in time. If not, a promise is broken, unless the machine is so busy that the
     * browser takes long for nothing at all, before or after: then {@link Premise} is told.
     */
    void inTime(Duration promised, Step step, String what) throws Exception {
        Duration nothing = nothing();
        long begun = System.nanoTime();
        step.run();
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        if (took.compareTo(promised) < 0) {
            return;
        }
        Duration after = nothing();
        Duration longest = after.compareTo(nothing) > 0 ? after : nothing;
        String text = String.format(
                "%s within %d ms: took %d, where nothing at all takes the browser %d",
                what, promised.toMillis(), took.toMillis(), longest.toMillis());
        Premise.check(longest.compareTo(QUICK) < 0, text);
        throw new AssertionError(text);
    }

    /** What is to be done in time. */
    interface Step {
        void run() throws Exception;
    }

    /** Returns how long the browser takes, at worst, for a script that does nothing when its turn comes. */
    private Duration nothing() {
        long longest = 0;
        for (int i = 0; i < NOTHINGS; i++) {
            long begun = System.nanoTime();
            driver.executeAsyncScript("setTimeout(arguments[0])");
            longest = Math.max(longest, System.nanoTime() - begun);
        }
        return Duration.ofNanos(longest);
    }

    /** Returns what an expression of JavaScript is. */
    public Object value(String expression) {
        return Objects.requireNonNull(driver.executeScript("return " + expression), expression);
    }

    /** Returns what the page complained of since it was asked last. */
    public List<String> complaints() {
        return driver.manage().logs().get("browser").getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    /** Forgets what it complained of. */
    public void forgetComplaints() {
        driver.manage().logs().get("browser");
    }

    /** Takes a picture of the window. */
    public void picture(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    }

    /** Takes a picture of one element. */
    void pictureOf(String css, Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, find(css).getScreenshotAs(OutputType.BYTES));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
