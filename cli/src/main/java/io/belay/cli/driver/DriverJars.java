package io.belay.cli.driver;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipException;

/** The jars that bring JDBC drivers which are not on the class path, all in one class loader. */
public final class DriverJars {
    private static final String SERVICES = "META-INF/services/java.sql.Driver";

    private DriverJars() {}

    /**
     * Makes the drivers in jars known to {@link DriverManager}, until this process ends. A driver that is on the class path,
     * too, stays the one from there, as what uses it knows its classes.
     *
     * @param jars one of them has a driver at least; the others may hold what that needs
     * @throws IllegalArgumentException if one is no jar, or none has a driver
     */
    public static void register(List<Path> jars) {
        if (jars.isEmpty()) {
            return;
        }
        URL[] urls = jars.stream().map(DriverJars::url).toArray(URL[]::new);
        URLClassLoader loader = new URLClassLoader(urls, DriverJars.class.getClassLoader());
        if (loader.findResource(SERVICES) == null) {
            throw new IllegalArgumentException("no JDBC driver in " + names(jars) + ": such a jar has " + SERVICES);
        }
        try {
            ServiceLoader.load(Driver.class, loader).stream()
                    .filter(driver -> driver.type().getClassLoader() == loader)
                    .map(ServiceLoader.Provider::get)
                    .forEach(DriverJars::register);
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new IllegalArgumentException("the driver in " + names(jars) + " cannot be loaded: " + e, e);
        }
    }

    private static void register(Driver driver) {
        try {
            DriverManager.registerDriver(new JarDriver(driver));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static URL url(Path jar) {
        if (!Files.exists(jar)) {
            throw new IllegalArgumentException("--driver " + jar + " does not exist");
        }
        // A loader would only find nothing in what is no jar.
        try {
            new JarFile(jar.toFile()).close();
            return jar.toUri().toURL();
        } catch (ZipException e) {
            throw new IllegalArgumentException("--driver " + jar + " is no jar", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("--driver " + jar + " cannot be read, or is a directory", e);
        }
    }

    private static String names(List<Path> jars) {
        return jars.stream().map(Path::toString).collect(Collectors.joining(", "));
    }
}
