package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.servers.ChildJvm;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriversTest {
    /** As a server's own classes ask for connections before an application is there, which brings Belay and its driver along. */
    @Test
    void anApplicationsOwnDriverIsFoundThoughOthersHaveLookedForDriversBefore() throws Exception {
        Enumeration<Driver> before = DriverManager.getDrivers();
        assertThat(before.hasMoreElements()).isTrue();
        List<URL> urls = new ArrayList<>();
        for (String entry : ChildJvm.classPath(DriversTest.class).split(File.pathSeparator, -1)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        try (URLClassLoader application =
                        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
                AutoCloseable client = (AutoCloseable) application
                        .loadClass(Belay.class.getName())
                        .getMethod("connect", String.class)
                        .invoke(null, "jdbc:h2:mem:drivers;DB_CLOSE_DELAY=-1;belay-create=true")) {
            assertThat(client).isNotInstanceOf(Belay.class);
        }
    }
}
