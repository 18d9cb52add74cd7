package io.belay.cli.hammer;

/** A check, in the critical section, whether another thread of this process is in it or a token does not rise. */
final class Exclusion {
    // Plain fields: it is the lock that is to make them safe.
    private boolean inside;
    private long lastToken;
    private long violations;

    void enter(long token) {
        if (inside || token <= lastToken) {
            violations++;
        }
        inside = true;
        lastToken = token;
    }

    void leave() {
        inside = false;
    }

    long violations() {
        return violations;
    }
}
