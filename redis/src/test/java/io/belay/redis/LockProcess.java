package io.belay.redis;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.servers.ChildJvm;
import java.io.IOException;
import java.time.Duration;

/** A process that takes a lock and keeps it, to be stopped or killed. */
final class LockProcess {
    private LockProcess() {}

    /** Starts it, and waits until it is about to take the lock. */
    static ChildJvm start(String url, String lock, Duration lease) throws IOException {
        ChildJvm child = ChildJvm.start(LockProcess.class, url, lock, lease.toString());
        if (!"connected".equals(child.line())) {
            throw new IOException("the process did not start");
        }
        return child;
    }

    public static void main(String[] arguments) throws Exception {
        BelayOptions options = BelayOptions.defaults()
                .withClientName("child")
                .withLockDefaults(LockOptions.defaults().withLease(Duration.parse(arguments[2])));
        try (Belay belay = Belay.connect(arguments[0], options)) {
            System.out.println("connected");
            try (Lease lease = belay.lock(arguments[1]).acquire()) {
                System.out.println("held");
                while (System.in.read() >= 0) {
                    // until the parent ends it
                }
                System.out.println(lease.isHeld());
            }
        }
    }
}
