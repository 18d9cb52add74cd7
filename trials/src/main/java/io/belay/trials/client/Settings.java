package io.belay.trials.client;

import io.belay.trials.plant.Plant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The settings that a client process is given on its command line.
 *
 * @param directory where its history goes
 * @param index which client it is, from 0
 * @param run how often it was started before
 * @param url where the store is
 * @param library the library to use
 * @param plant the bug planted in it
 * @param workload what to do
 * @param lease the lease of each lock
 * @param seed what its choices are drawn from
 */
public record Settings(
        Path directory,
        int index,
        int run,
        String url,
        String library,
        Plant plant,
        String workload,
        Duration lease,
        long seed) {
    /** The name of the process in its history. */
    public String process() {
        return index + "." + run;
    }

    /** The command line. */
    public List<String> arguments() {
        return List.of(
                directory.toString(),
                Integer.toString(index),
                Integer.toString(run),
                url,
                library,
                plant.name(),
                workload,
                Long.toString(lease.toMillis()),
                Long.toString(seed));
    }

    static Settings of(String... arguments) {
        return new Settings(
                Path.of(arguments[0]),
                Integer.parseInt(arguments[1]),
                Integer.parseInt(arguments[2]),
                arguments[3],
                arguments[4],
                Plant.valueOf(arguments[5]),
                arguments[6],
                Duration.ofMillis(Long.parseLong(arguments[7])),
                Long.parseLong(arguments[8]));
    }
}
