package io.belay.internal.machine;

import io.belay.spi.Answer;
import io.belay.spi.Push;
import io.belay.spi.Request;

/** What a client does or believes with one thing left out, each around the production code, which knows nothing of it. */
enum BrokenStep implements Mutant {
    /** Nobody looks at the wall clock, which goes on while a suspended machine's own one stands still. */
    SUSPENSION_IS_NOT_SEEN {
        @Override
        public boolean readsWallClock() {
            return false;
        }
    },

    /** A leave never says that an enter may still be on its way. */
    LEAVE_DOES_NOT_SAY_UNCLEAR {
        @Override
        public Request request(io.belay.spi.Resource before, Request request) {
            return request instanceof Request.Leave leave
                    ? Request.Leave.of(leave.resource(), leave.id(), false)
                    : request;
        }
    },

    /** What is answered to a yield may be the grant that was given up. */
    OLD_GRANT_ANSWERS_A_YIELD {
        @Override
        public Sent beforeAnswer(Stay stay, Answer answer, Sent sent, long now) {
            boolean old = stay.phase == Phase.YIELDING
                    && answer.state() == Answer.State.GRANTED
                    && answer.sequence() == stay.sequence;
            stay.phase = old ? Phase.WAITING : stay.phase;
            return sent;
        }
    },

    /** The place of before the grant answers the yield of that grant. */
    OLD_PLACE_ANSWERS_A_YIELD {
        @Override
        public Sent beforeAnswer(Stay stay, Answer answer, Sent sent, long now) {
            boolean old = stay.phase == Phase.YIELDING
                    && answer.state() == Answer.State.WAITING
                    && answer.sequence() == stay.sequence;
            stay.phase = old ? Phase.WAITING : stay.phase;
            return sent;
        }
    },

    /** An answer about an older sequence counts. */
    OLDER_SEQUENCE_COUNTS {
        @Override
        public Sent beforeAnswer(Stay stay, Answer answer, Sent sent, long now) {
            boolean granted = answer.state() == Answer.State.GRANTED;
            stay.sequence = granted ? Math.min(stay.sequence, answer.sequence()) : stay.sequence;
            return sent;
        }
    },

    /** A leave that is not answered is not sent again. */
    LEAVE_IS_SENT_ONCE {
        @Override
        public boolean sends(Stay stay, Request request) {
            return !(request instanceof Request.Leave) || stay.leaves < 2;
        }
    },

    /** Who waits does not ask. */
    WAITERS_DO_NOT_ASK {
        @Override
        public boolean sends(Stay stay, Request request) {
            return !(request instanceof Request.Renew) || stay.phase != Phase.WAITING;
        }
    },

    /** Who holds does not renew. */
    HOLDERS_DO_NOT_RENEW {
        @Override
        public boolean sends(Stay stay, Request request) {
            return !(request instanceof Request.Renew) || stay.phase != Phase.HELD;
        }
    },

    /** All who get the lock by one grant get one token. */
    TOKENS_ARE_NOT_COUNTED_ON {
        @Override
        public void afterStep(Machine machine) {
            machine.stays.all.forEach(stay -> stay.handOffs = 0);
        }
    },

    /** A loss is not told. */
    LOSS_IS_NOT_TOLD {
        @Override
        public boolean tellsLoss() {
            return false;
        }
    },

    /** A try that others have the lock is not told so. */
    BUSY_IS_NOT_TOLD {
        @Override
        public boolean tellsEnd(Caller caller) {
            return !caller.ifFree;
        }
    },

    /** Nobody looks at the end of a lease. */
    END_IS_NOT_SEEN {
        @Override
        public boolean looksAtEnds() {
            return false;
        }
    },

    /** A push that comes before the answer to the enter is no hint. */
    EARLY_PUSH_IS_NO_HINT {
        @Override
        public boolean hears(Stay stay, Push push) {
            return stay.phase != Phase.ENTERING;
        }
    }
}
