package io.belay.trials.check;

import io.belay.trials.history.History;
import java.util.List;

/** Looks for broken promises of one kind, in time that is linear in the history but for sorting. */
public interface Check {
    /** Returns the violations that this check finds, in the order of time. */
    List<Violation> of(History history);
}
