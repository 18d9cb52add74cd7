package io.belay.trials.jsr166;

/** A store, and a way to use its locks. */
record Setting(String store, Way way) {
    /** The name under which results are reported. */
    String title() {
        return way == Way.DEFAULT ? store : store + ", " + way.title();
    }

    /** The beginning of the names of its files. */
    String fileName() {
        return store + "-" + way.title();
    }
}
