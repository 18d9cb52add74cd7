package io.belay.file;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Measures, for a person to read. Usage:
 *
 * <pre>
 * FileBench pairs DIR SECONDS NAME      enter and leave, as fast as one thread can
 * FileBench waiters DIR COUNT NAME      the same with so many claims waiting in front
 * FileBench handover DIR COUNT HOLD_US  in two or more processes: from a leave to the push in another process
 * </pre>
 */
final class FileBench {
    static final Owner OWNER =
            Owner.of("bench", "localhost", ProcessHandle.current().pid(), "main");
    static final long LEASE = 30_000_000;

    private FileBench() {}

    public static void main(String[] args) throws Exception {
        long client = ThreadLocalRandom.current().nextLong();
        LinkedBlockingQueue<Push> pushes = new LinkedBlockingQueue<>();
        Store.Listener listener = new Store.Listener() {
            @Override
            public void pushed(Push push) {
                pushes.add(push);
            }

            @Override
            public void reconnected() {}
        };
        try (Store store = new FileStoreProvider().open("file:" + Path.of(args[1]), client, listener)) {
            switch (args[0]) {
                case "pairs" -> pairs(store, client, Integer.parseInt(args[2]), args[3]);
                case "waiters" -> waiters(store, client, Integer.parseInt(args[2]), args[3]);
                default -> handover(store, client, pushes, Integer.parseInt(args[2]), Integer.parseInt(args[3]));
            }
        }
    }

    static Request.Enter enter(String name, ClaimId id) {
        return Request.Enter.of(name, id, ClaimSpec.whole(LEASE), 0, OWNER);
    }

    static Answer send(Store store, Request request) {
        return store.send(request).toCompletableFuture().join();
    }

    private static void pairs(Store store, long client, int seconds, String name) {
        long number = 0;
        for (int second = 0; second < seconds; second++) {
            long requests = 0;
            long end = System.nanoTime() + 1_000_000_000L;
            while (System.nanoTime() < end) {
                ClaimId id = ClaimId.of(client, ++number);
                send(store, enter(name, id));
                send(store, Request.Leave.of(name, id, false));
                requests += 2;
            }
            System.out.printf("%,d requests/s%n", requests);
        }
    }

    /** The same with so many claims waiting in front. */
    private static void waiters(Store store, long client, int waiting, String name) {
        for (int i = 0; i < waiting; i++) {
            send(store, enter(name, ClaimId.of(client, 1_000_000_000L + i)));
        }
        pairs(store, client, 5, name);
    }

    private static void handover(Store store, long client, LinkedBlockingQueue<Push> pushes, int count, int hold)
            throws InterruptedException {
        long[] took = new long[count];
        int n = 0;
        for (long number = 1; n < count; number++) {
            ClaimId id = ClaimId.of(client, number);
            Answer answer = send(store, enter("handover", id));
            if (answer.state() == Answer.State.WAITING) {
                Push push = pushes.take();
                while (!push.id().equals(id)) {
                    push = pushes.take();
                }
                answer = send(store, Request.Renew.of("handover", id, push.sequence(), LEASE, 0, false));
                took[n++] = answer.time() - push.time();
            }
            if (hold > 0) {
                Thread.sleep(hold / 1000, hold % 1000 * 1000);
            }
            send(store, Request.Leave.of("handover", id, false));
        }
        Arrays.sort(took);
        System.out.printf(
                "%d hand-overs: p50 %d us, p90 %d us, p99 %d us, max %d us%n",
                count, took[count / 2], took[count * 9 / 10], took[count * 99 / 100], took[count - 1]);
        System.exit(0);
    }
}
