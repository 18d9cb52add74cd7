package io.belay.dashboard;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Tests in one Chromium, each of which begins on an empty page. */
abstract class InBrowser {
    static Browser browser;

    @BeforeAll
    static void start() {
        browser = Browser.start();
    }

    @AfterAll
    static void end() {
        if (browser != null) {
            browser.close();
        }
    }

    /** A dashboard that has ended is complained of by its page, if that is still open. */
    @BeforeEach
    void leaveTheLastPage() {
        browser.driver.get("about:blank");
        browser.forgetComplaints();
    }
}
