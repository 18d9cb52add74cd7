package io.belay.cli.text;

import io.belay.cli.driver.DriverJars;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help;
import picocli.CommandLine.Option;

/** The options that name the store of a command, and bring along the driver of its database. */
public final class StoreOption {
    @Option(names = "--store", paramLabel = "URL", description = "Where the locks are.")
    private @Nullable String store;

    @Option(names = "--store-file", paramLabel = "FILE", description = "Reads the store's URL from a file.")
    private @Nullable Path storeFile;

    @Option(
            names = "--driver",
            paramLabel = "JAR",
            description = "A jar with the JDBC driver of the store's database. May be given several times.",
            showDefaultValue = Help.Visibility.NEVER)
    private List<Path> drivers = List.of();

    /** Returns the jars that bring drivers. */
    public List<Path> drivers() {
        return List.copyOf(drivers);
    }

    /** Returns the store's URL; from now on its driver is known. */
    public String url() {
        String url = UrlOptions.require("store", store, storeFile);
        DriverJars.register(drivers);
        return url;
    }

    /** Returns the same for a store that others share. */
    public String sharedUrl() {
        String url = url();
        UrlOptions.refuseMemory(url);
        return url;
    }
}
