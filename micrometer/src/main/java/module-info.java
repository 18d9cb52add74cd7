/** Belay's counts as meters of Micrometer, and waits and holds as observations. */
module io.belay.micrometer {
    requires transitive io.belay;
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires micrometer.commons;
    requires static org.jspecify;

    exports io.belay.micrometer;
}
