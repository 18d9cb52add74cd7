package io.belay.dashboard;

import io.belay.BelayListener;
import io.belay.BelayOptions;
import io.belay.Deadlock;
import io.belay.LeaseLostException;
import io.belay.OwnHold;
import io.belay.SlowRequest;
import io.belay.SlowWait;
import io.belay.dashboard.client.RecentEvents;
import io.belay.dashboard.client.RecentEvents.Kind;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.time.Duration;
import java.util.Locale;

/**
 * A listener that keeps for the page what a client tells once: its last losses, outages of its store and slow requests, with their
 * reasons, twenty of each. It listens to one client:
 *
 * <pre>{@code
 * ClientEvents events = ClientEvents.create();
 * Belay belay = Belay.connect(url, events.listenTo(BelayOptions.defaults()));
 * }</pre>
 *
 * <p>Thread-safe; nothing blocks.
 */
public final class ClientEvents {
    private static final Log LOG = Log.of(LogName.CLIENT);

    private final RecentEvents diary = new RecentEvents();
    private volatile boolean listens;

    private ClientEvents() {}

    /** Returns one that has heard of nothing yet. */
    public static ClientEvents create() {
        return new ClientEvents();
    }

    /** Returns options with which a client tells this, and the listener that they had. */
    public BelayOptions listenTo(BelayOptions options) {
        listens = true;
        diary.nameClient(options.clientName());
        return options.withListener(new Ear(diary, options.listener().orElse(new BelayListener() {})));
    }

    /** Returns what it keeps, for a page; one of whose client it has heard nothing by now will show no loss. */
    RecentEvents diary() {
        if (!listens) {
            LOG.warn("The dashboard will tell of no lost lease, no outage and no slow request: connect the client with"
                    + " options of ClientEvents.listenTo");
        }
        return diary;
    }

    private record Ear(RecentEvents diary, BelayListener next) implements BelayListener {
        @Override
        public void lost(LeaseLostException loss) {
            String reason = loss.reason().map(Ear::words).orElse("");
            note(Kind.LOSS, loss.name(), reason, String.valueOf(loss.getMessage()));
            next.lost(loss);
        }

        @Override
        public void storeAway(String reason) {
            note(Kind.OUTAGE, "", "away", reason);
            next.storeAway(reason);
        }

        @Override
        public void storeBack(Duration away) {
            diary.back(away.toMillis());
            next.storeBack(away);
        }

        @Override
        public void slowRequest(SlowRequest slow) {
            diary.add(
                    Kind.SLOW,
                    new RecentEvents.Entry(
                            slow.at().toEpochMilli(),
                            "",
                            words(slow.kind()),
                            "",
                            slow.took().toMillis()));
            next.slowRequest(slow);
        }

        @Override
        public void slowWait(SlowWait slow) {
            next.slowWait(slow);
        }

        @Override
        public void deadlock(Deadlock deadlock) {
            next.deadlock(deadlock);
        }

        @Override
        public void longHold(OwnHold hold) {
            next.longHold(hold);
        }

        @Override
        public void refused(String name, String reason) {
            next.refused(name, reason);
        }

        private static String words(Enum<?> one) {
            return one.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        private void note(Kind kind, String lock, String what, String why) {
            diary.add(kind, new RecentEvents.Entry(System.currentTimeMillis(), lock, what, why, -1));
        }
    }
}
