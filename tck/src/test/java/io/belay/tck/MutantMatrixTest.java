package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the whole suite on each mistake, and prints which tests notice which. It takes long, and is run when asked for. */
@EnabledIfSystemProperty(named = "belay.mutants", matches = "all", disabledReason = "takes long: -Dbelay.mutants=all")
class MutantMatrixTest {
    /** Most of it is waiting. */
    private static final int AT_A_TIME = 12;

    /** Writes down the tests that ran, and those that failed. */
    private static final class Tests implements TestExecutionListener {
        final Set<String> passed = new ConcurrentSkipListSet<>();
        final Set<String> failed = new ConcurrentSkipListSet<>();

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            // What this store does not offer is aborted.
            if (result.getStatus() != TestExecutionResult.Status.ABORTED
                    && test.getSource().orElse(null) instanceof MethodSource method) {
                boolean ok = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
                (ok ? passed : failed).add(name(method.getJavaClass(), method.getMethodName()));
            }
        }
    }

    private static String name(Class<?> suite, String test) {
        return suite.getSimpleName() + "." + test;
    }

    private static Tests run(Mutant mutant) {
        Tests tests = new Tests();
        LauncherFactory.create()
                .execute(
                        request()
                                .selectors(selectClass(MutatedTck.class))
                                .configurationParameter(MutatedTck.PARAMETER, mutant.name())
                                // Who waits uninterruptibly for a broken store may wait for ever.
                                .configurationParameter(
                                        "junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
                                .build(),
                        tests);
        return tests;
    }

    @Test
    void whoNoticesWhat() throws Exception {
        Map<Mutant, Future<Tests>> running = new EnumMap<>(Mutant.class);
        ExecutorService pool = Executors.newFixedThreadPool(AT_A_TIME);
        for (Mutant mutant : Mutant.values()) {
            running.put(mutant, pool.submit(() -> run(mutant)));
        }
        pool.shutdown();
        Set<String> all = new TreeSet<>();
        Map<String, List<Mutant>> noticed = new TreeMap<>();
        List<Mutant> missed = new ArrayList<>();
        for (Mutant mutant : Mutant.values()) {
            Tests tests = running.get(mutant).get();
            all.addAll(tests.passed);
            all.addAll(tests.failed);
            tests.failed.forEach(test ->
                    noticed.computeIfAbsent(test, key -> new ArrayList<>()).add(mutant));
            System.out.println(mutant + " is noticed by " + tests.failed.size() + ": " + tests.failed);
            if (!tests.failed.contains(name(mutant.suite, mutant.test))) {
                missed.add(mutant);
            }
        }
        noticed.forEach((test, mutants) -> System.out.println(test + " notices " + mutants.size() + ": " + mutants));
        all.removeAll(noticed.keySet());
        System.out.println(all.size() + " tests notice none: " + all);
        assertThat(missed).as("not noticed by the test that is named for them").isEmpty();
    }
}
