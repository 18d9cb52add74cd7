package io.belay.shop.sale;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.servers.ChildJvm;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.Lot;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A process that takes the lock of a sku and sells one unit, and can be stopped before it begins to read or after it has
 * read. It says "here" at that point, and goes on when it is told to.
 */
final class HolderProcess implements AutoCloseable {
    private final ChildJvm child;

    private HolderProcess(ChildJvm child) {
        this.child = child;
    }

    /** Starts it and waits until it has come to the point. */
    static HolderProcess start(Path locks, String ledger, String sku, Duration lease, boolean afterReading)
            throws IOException {
        HolderProcess holder = new HolderProcess(ChildJvm.start(
                HolderProcess.class, locks.toString(), ledger, sku, lease.toString(), Boolean.toString(afterReading)));
        holder.lineAfter("here");
        return holder;
    }

    /** The rest of the first line that begins so; what else it prints is its log. */
    private String lineAfter(String begin) throws IOException {
        for (String line = child.line(); line != null; line = child.line()) {
            if (line.startsWith(begin)) {
                return line.substring(begin.length());
            }
        }
        throw new IOException("the holder ended before it said " + begin);
    }

    void stop() throws IOException, InterruptedException {
        child.signal("STOP");
    }

    /** Lets it go on; returns what it says then: whether its lease is held, and what came of the sale. */
    String goOn() throws IOException, InterruptedException {
        child.process.getOutputStream().write('\n');
        child.process.getOutputStream().flush();
        child.signal("CONT");
        return lineAfter("result: ");
    }

    @Override
    public void close() {
        child.close();
    }

    public static void main(String[] arguments) throws Exception {
        String sku = arguments[2];
        LockOptions options = LockOptions.defaults().withLease(Duration.parse(arguments[3]));
        try (Belay belay = Belay.connect("file:" + arguments[0]);
                Ledger ledger = Ledger.open(arguments[1], null, null, 2)) {
            Lease lease = belay.lock(Ledger.lockName(sku), options).acquire();
            boolean[] heldAfterPause = new boolean[1];
            Work pause = () -> heldAfterPause[0] = pauseAndSayWhetherHeld(lease);
            boolean afterReading = Boolean.parseBoolean(arguments[4]);
            if (!afterReading) {
                pause.run();
            }
            Outcome outcome = new GuardedSale(ledger, afterReading ? pause : () -> {}, "stopped")
                    .sell(Lot.whole(sku), "b", lease.token());
            System.out.println("result: held " + heldAfterPause[0] + ", " + lease.release() + ", "
                    + (outcome instanceof Outcome.TryAgain again
                            ? again.reason()
                            : outcome.getClass().getSimpleName()));
        }
    }

    private static boolean pauseAndSayWhetherHeld(Lease lease) {
        System.out.println("here");
        try {
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return lease.isHeld();
    }
}
