package io.belay.trials.fault;

import java.io.IOException;
import java.util.Random;

/** One kind of thing that goes wrong. */
interface Strike {
    /** Whether it can be done to this store. */
    boolean fits(Site site);

    /** Does it, and arranges for its end. */
    void at(Scene scene, Random random) throws IOException, InterruptedException;
}
