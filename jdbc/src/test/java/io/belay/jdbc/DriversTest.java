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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("processes")
class DriversTest {
    /** As a server's own classes ask for connections before an application is there, which brings Belay and its driver along. */
    @Test
    void anApplicationsOwnDriverIsFoundThoughOthersHaveLookedForDriversBefore() throws Exception {
        try (ChildJvm server = ChildJvm.start(Server.class)) {
            assertThat(server.line()).isEqualTo("connected: another class: true");
        }
    }

    /** What a server does: it looks for drivers, and loads an application by a loader of its own. */
    static final class Server {
        private Server() {}

        public static void main(String[] args) throws Exception {
            Enumeration<Driver> before = DriverManager.getDrivers();
            List<URL> urls = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                urls.add(Path.of(entry).toUri().toURL());
            }
            ClassLoader shared = ClassLoader.getPlatformClassLoader();
            try (URLClassLoader application = new URLClassLoader(urls.toArray(URL[]::new), shared);
                    AutoCloseable client = (AutoCloseable) application
                            .loadClass(Belay.class.getName())
                            .getMethod("connect", String.class)
                            .invoke(null, "jdbc:h2:mem:drivers;DB_CLOSE_DELAY=-1;belay-create=true")) {
                boolean another = before.hasMoreElements() && !(client instanceof Belay);
                System.out.println("connected: another class: " + another);
            }
        }
    }
}
