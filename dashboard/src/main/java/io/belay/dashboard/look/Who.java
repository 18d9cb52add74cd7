package io.belay.dashboard.look;

import io.belay.Participant;

/**
 * A thread of a client.
 *
 * @param client the client's name
 * @param host its host
 * @param process its process id
 * @param thread the thread's name; empty if none of the client's threads is known
 * @param behalf on whose behalf; empty if nobody's
 */
record Who(String client, String host, long process, String thread, String behalf) {
    static final Who NOBODY = new Who("", "", 0, "", "");

    static Who of(Participant one) {
        return new Who(one.client(), one.host(), one.process(), one.thread(), one.behalf());
    }

    /** Returns whether it is the same thread of the same process, on whosever behalf. */
    boolean isThread(Who other) {
        return process == other.process
                && thread.equals(other.thread)
                && client.equals(other.client)
                && host.equals(other.host);
    }

    @Override
    public String toString() {
        return client + "@" + host + ":" + process + (thread.isEmpty() ? "" : " " + thread)
                + (behalf.isEmpty() ? "" : " for " + behalf);
    }
}
