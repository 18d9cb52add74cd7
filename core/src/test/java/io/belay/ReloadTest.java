package io.belay;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.ChildJvm;
import io.belay.servers.Pace;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An application that a server loads anew again and again: its class loaders are to go. */
class ReloadTest {
    private static final int LOADS = 4;

    @Test
    void theFirstClassLoaderAloneMayBeKept() throws Exception {
        try (ChildJvm server = ChildJvm.start(Server.class)) {
            assertThat(server.line()).isEqualTo("kept of the later ones: []");
        }
    }

    /** What each class loader loads. */
    static final class Application {
        private Application() {}

        public static void use() throws InterruptedException {
            try (Belay belay = Belay.connect("memory:reload");
                    Lease lease = belay.lock("x").acquire()) {
                lease.ensureHeld();
                belay.reentrantLock("again").lock();
                belay.reentrantLock("again").unlock();
            }
        }
    }

    /** A process of its own, as other tests compare records. */
    static final class Server {
        private Server() {}

        public static void main(String[] arguments) throws Exception {
            List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
            for (int i = 0; i < LOADS; i++) {
                loaders.add(load());
            }
            List<Integer> kept = kept(loaders);
            for (long end = System.nanoTime() + Pace.patience().toNanos();
                    !kept.isEmpty() && System.nanoTime() < end; ) {
                Thread.sleep(100);
                kept = kept(loaders);
            }
            System.out.println("kept of the later ones: " + kept);
        }

        private static List<Integer> kept(List<WeakReference<ClassLoader>> loaders) {
            System.gc();
            return IntStream.range(1, LOADS)
                    .filter(i -> loaders.get(i).get() != null)
                    .boxed()
                    .toList();
        }

        private static WeakReference<ClassLoader> load() throws Exception {
            List<URL> classPath = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
                classPath.add(new File(entry).toURI().toURL());
            }
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            try (URLClassLoader loader =
                    new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
                thread.setContextClassLoader(loader);
                var use = loader.loadClass(Application.class.getName()).getDeclaredMethod("use");
                use.setAccessible(true);
                use.invoke(null);
                return new WeakReference<>(loader);
            } finally {
                thread.setContextClassLoader(before);
            }
        }
    }
}
