package io.belay.cli.text;

import io.belay.cli.driver.DriverJars;
import io.belay.support.UrlVariables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help;
import picocli.CommandLine.Option;

/** The options that name the store of a command, and bring along the driver of its database. */
public final class StoreOption {
    private static final String SQLITE = "jdbc:sqlite:";

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

    /** Returns the URL of a store in which a command may make what is not there; from now on its driver is known. */
    public String urlToPrepare() {
        String url = UrlOptions.require("store", store, storeFile);
        DriverJars.register(drivers);
        return url;
    }

    /** Returns the URL of a store in which a command makes nothing, so that a database file must be there. */
    public String url() {
        String url = urlToPrepare();
        refuseMissingFile(UrlVariables.expand(url));
        return url;
    }

    /** Returns the same for a store that others share. */
    public String sharedUrl() {
        String url = url();
        UrlOptions.refuseMemory(url);
        return url;
    }

    /** Refuses a database in a file that is not there: the driver would make an empty one. */
    private static void refuseMissingFile(String url) {
        if (!url.startsWith(SQLITE)) {
            return;
        }
        String file = url.substring(SQLITE.length()).replaceFirst("\\?.*", "");
        boolean named = !file.isEmpty() && !file.startsWith(":") && !file.startsWith("file:");
        if (named && !Files.exists(Path.of(file))) {
            throw CliException.usage("the database file " + file + " does not exist, and this command makes none");
        }
    }
}
