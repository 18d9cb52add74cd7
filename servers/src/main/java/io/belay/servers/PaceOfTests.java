package io.belay.servers;

import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Gives what a run's tests await the patience that this machine needs, and says how much. JUnit finds it by itself. */
public final class PaceOfTests implements LauncherSessionListener {
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        System.out.println("belay: pace: " + Pace.here());
        try {
            Awaitility.setDefaultTimeout(Pace.patience());
            // A store that is late once is asked again. By its name, since this module knows no other.
            Awaitility.ignoreExceptionsByDefaultMatching(
                    e -> e.getClass().getName().equals("io.belay.StoreUnavailableException"));
        } catch (NoClassDefFoundError e) {
            // These tests do without it.
        }
    }
}
