package io.belay.trials.fault;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What goes wrong in a trial. */
public enum Fault {
    NONE("nothing goes wrong", 0, 0),
    PAUSE("clients, mostly holders, are stopped for 0.5 to 5 leases", 300, 700, new PauseClient()),
    KILL("clients, mostly holders, are killed and started again", 900, 1500, new KillClient());

    private final String description;
    private final int leastMillis;
    private final int mostMillis;
    private final List<Strike> strikes;

    Fault(String description, int leastMillis, int mostMillis, Strike... strikes) {
        this.description = description;
        this.leastMillis = leastMillis;
        this.mostMillis = mostMillis;
        this.strikes = List.of(strikes);
    }

    /** The name on the command line. */
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What it does. */
    public String description() {
        return description;
    }

    /** The fault of this name on the command line. */
    public static Optional<Fault> of(String title) {
        return Arrays.stream(values()).filter(one -> one.title().equals(title)).findFirst();
    }

    /** The faults by their names on the command line. */
    public static List<String> titles() {
        return Arrays.stream(values()).map(Fault::title).toList();
    }

    int leastMillis() {
        return leastMillis;
    }

    int mostMillis() {
        return mostMillis;
    }

    /** What of it can be done to this store. */
    List<Strike> strikes(Site site) {
        List<Strike> fitting = new ArrayList<>(strikes);
        fitting.removeIf(strike -> !strike.fits(site));
        return fitting;
    }
}
