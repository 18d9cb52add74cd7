package io.belay.internal;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Renewals that fell due together, sent in chunks, those for each server apart. Used by the keeper's thread alone. */
final class Renewals {
    private static final int CHUNK = 256;

    private final Engine engine;
    private final Map<Integer, Chunk> next = new HashMap<>();
    private int waiting;

    Renewals(Engine engine) {
        this.engine = engine;
    }

    /** Renewals on their way together. One timer does for all of them, which hardly ever fires. */
    private final class Chunk extends Timers.Timer {
        private final List<LiveClaim> claims = new ArrayList<>();
        private final List<Request.Renew> requests = new ArrayList<>();
        private int[] numbers = new int[16];
        private final AtomicInteger answered = new AtomicInteger();
        private long until;

        void add(LiveClaim claim, Request.Renew request, int number, long at) {
            int size = claims.size();
            until = size == 0 || at - until < 0 ? at : until;
            if (size == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * size);
            }
            numbers[size] = number;
            claims.add(claim);
            requests.add(request);
        }

        void send() {
            engine.timers().schedule(this, until);
            long sent = engine.time().nanos();
            long offset = engine.time().wallAheadMillis();
            List<? extends CompletionStage<Answer>> answers = engine.renew(requests);
            for (int i = 0; i < claims.size(); i++) {
                LiveClaim claim = claims.get(i);
                int number = numbers[i];
                answers.get(i).whenComplete((answer, error) -> {
                    if (answered.incrementAndGet() == claims.size()) {
                        engine.timers().cancel(this);
                    }
                    claim.answered(answer, error, new Sent(number, sent, offset, false, false));
                });
            }
        }

        /** Not answered in time: from now on each claim minds its own. */
        @Override
        void fire(long now) {
            for (int i = 0; i < claims.size(); i++) {
                claims.get(i).overdue(numbers[i]);
            }
        }
    }

    /**
     * When to renew what is to be renewed at that instant: a little earlier, at most by 1/64 of the time that has passed
     * since the last answered request, so that one chunk takes what would otherwise be sent one by one. Each client has
     * instants of its own, since those of one machine share their clock and would all send at once.
     */
    long together(long at, long sent) {
        long step = Long.highestOneBit((at - sent) / 64);
        return at - sent < 64 ? at : at - ((at - engine.number()) & (step - 1));
    }

    /**
     * Under the claim's lock; to be followed by {@link #flushIfFull} outside it.
     *
     * @param at when the claim has something else to do, if there is no answer by then
     */
    void add(LiveClaim claim, Request.Renew request, int number, long at) {
        int shard = engine.store().shard(request.resource());
        next.computeIfAbsent(shard, key -> new Chunk()).add(claim, request, number, at);
        waiting++;
    }

    void flushIfFull() {
        if (waiting >= CHUNK) {
            flush();
        }
    }

    void flush() {
        if (waiting > 0) {
            waiting = 0;
            List<Chunk> full = List.copyOf(next.values());
            next.clear();
            full.forEach(Chunk::send);
        }
    }
}
