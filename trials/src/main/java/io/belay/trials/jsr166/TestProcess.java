package io.belay.trials.jsr166;

import io.belay.Belay;
import io.belay.trials.jsr166.adapter.Adapters;
import io.belay.trials.jsr166.adapter.TestThreads;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import junit.framework.TestCase;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.jspecify.annotations.Nullable;

/**
 * The entry point of a process that runs one test of the JDK's on one store: the JDK's tests wait for ever where
 * they fail, and only the end of their process ends their threads.
 */
public final class TestProcess {
    static final String BEGIN = "begin ";
    static final String END = "end ";

    /** The factor of all delays in tests that are to fail: most fail by waiting, so they wait a fifth of the time. */
    private static final String IMPATIENT = "0.2";

    /** The times that a test which is to fail may pass: some toss a coin before they look. */
    private static final int TOSSES = 30;

    /** The times that the program is run: it draws in which way each thread locks. */
    private static final int ROUNDS = 20;

    private final PrintStream told;
    private final JdkTest test;
    private final URL[] classes;
    private final Set<String> methods;

    private TestProcess(PrintStream told, JdkTest test, Path classes, Set<String> methods) throws IOException {
        this.told = told;
        this.test = test;
        this.classes = new URL[] {classes.toUri().toURL()};
        this.methods = methods;
    }

    /** Takes the store's URL, the way, the test, the directory of its classes, and its methods if not all are to run. */
    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        PrintStream told = System.out;
        System.setOut(System.err);
        endWithParent();
        Way way = Way.of(arguments[1]).orElseThrow();
        JdkTest test = JdkTest.of(arguments[2]).orElseThrow();
        List<Belay> clients = Stream.generate(() -> Belay.connect(arguments[0]))
                .limit(way.clients())
                .toList();
        Adapters.use(clients, "jsr166:" + way.title() + ":" + test.title() + ":");
        Adapters.change(way.options());
        if (way.isVirtual()) {
            TestThreads.makeVirtual();
        }
        Set<String> methods = Set.copyOf(List.of(arguments).subList(4, arguments.length));
        TestProcess process = new TestProcess(told, test, Path.of(arguments[3]), methods);
        FutureTask<Boolean> tests = new FutureTask<>(() -> {
            process.run();
            return true;
        });
        try {
            TestThreads.make(tests, "main").start();
            tests.get();
        } finally {
            clients.forEach(Belay::close);
        }
        System.exit(0);
    }

    private static void endWithParent() {
        Thread reader = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // Nothing is said.
                        }
                    } catch (IOException e) {
                        // It has gone.
                    }
                    Runtime.getRuntime().halt(1);
                },
                "jsr166-input");
        reader.setDaemon(true);
        reader.start();
    }

    private void run() throws ReflectiveOperationException {
        if (test.isProgram()) {
            Adapters.allowClones();
            Method program = load().getMethod("main", String[].class);
            tell("main", ROUNDS, () -> run(program));
            return;
        }
        for (TestCase one : cases()) {
            if (Difference.of(test, one.getName()).isEmpty()) {
                tell(one.getName(), 1, () -> run(one));
            }
        }
        System.setProperty("jsr166.delay.factor", IMPATIENT);
        for (TestCase one : cases()) {
            if (Difference.of(test, one.getName()).isPresent()) {
                tell(one.getName(), TOSSES, () -> run(one));
            }
        }
    }

    /** Loads the class anew, which makes it read its settings, and lists its methods. */
    private List<TestCase> cases() throws ReflectiveOperationException {
        TestSuite suite = new TestSuite(load().asSubclass(TestCase.class));
        return Collections.list(suite.tests()).stream()
                .map(TestCase.class::cast)
                .filter(one -> methods.isEmpty() || methods.contains(one.getName()))
                .toList();
    }

    private Class<?> load() throws ReflectiveOperationException {
        // Closed by the end of the process.
        @SuppressWarnings("resource")
        URLClassLoader loader = new URLClassLoader(classes, TestProcess.class.getClassLoader());
        return loader.loadClass(test.title());
    }

    /** An attempt that returns why it failed; null if it did not. */
    private interface Attempt {
        @Nullable
        Throwable run() throws ReflectiveOperationException;
    }

    private static @Nullable Throwable run(TestCase one) {
        TestResult result = new TestResult();
        one.run(result);
        return Stream.concat(Collections.list(result.errors()).stream(), Collections.list(result.failures()).stream())
                .map(TestFailure::thrownException)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Throwable run(Method program) throws IllegalAccessException {
        try {
            program.invoke(null, (Object) new String[0]);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
    }

    /** Makes attempts until one fails, and tells the outcome. */
    private void tell(String method, int attempts, Attempt attempt) throws ReflectiveOperationException {
        told.println(BEGIN + method);
        long begin = System.nanoTime();
        Throwable failure = null;
        for (int i = 1; i <= attempts && failure == null; i++) {
            failure = attempt.run();
            if (failure != null) {
                System.err.println(method + " failed in attempt " + i + " of " + attempts + ":");
                failure.printStackTrace();
            }
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        told.println(END + new Outcome(test, method, failure == null, millis, message(failure)).line());
    }

    /** Says in a line what was thrown, and where in the test. */
    private String message(@Nullable Throwable failure) {
        if (failure == null) {
            return "";
        }
        String where = Stream.of(failure.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith(test.title()))
                .findFirst()
                .map(frame -> " at " + frame.getFileName() + ":" + frame.getLineNumber())
                .orElse("");
        return (failure + where).replaceAll("\\s+", " ");
    }
}
