package io.belay.internal;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Renewals that fell due together, sent in chunks. Used by the keeper's thread alone. */
final class Renewals {
    private static final int CHUNK = 256;

    private final Engine engine;

    private record Due(LiveClaim claim, int number) {}

    private List<Due> claims = new ArrayList<>();
    private List<Request.Renew> requests = new ArrayList<>();

    Renewals(Engine engine) {
        this.engine = engine;
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

    /** Under the claim's lock; to be followed by {@link #flushIfFull} outside it. */
    void add(LiveClaim claim, Request.Renew request, int number) {
        claims.add(new Due(claim, number));
        requests.add(request);
    }

    void flushIfFull() {
        if (claims.size() >= CHUNK) {
            flush();
        }
    }

    void flush() {
        if (claims.isEmpty()) {
            return;
        }
        List<Due> sentFor = claims;
        List<Request.Renew> chunk = requests;
        claims = new ArrayList<>();
        requests = new ArrayList<>();
        long sent = engine.time().nanos();
        long offset = engine.time().wallAheadMillis();
        engine.renew(chunk).whenComplete((answers, error) -> {
            for (int i = 0; i < sentFor.size(); i++) {
                @Nullable Answer answer = answers == null ? null : answers.get(i);
                Due due = sentFor.get(i);
                due.claim().answered(answer, error, new Sent(due.number(), sent, offset, false));
            }
        });
    }
}
