package io.belay.bench.lead;

import io.belay.bench.cases.Case;
import io.belay.bench.cases.Cases;
import io.belay.bench.library.Libraries;
import io.belay.bench.library.Library;
import io.belay.bench.library.Locks;
import io.belay.bench.library.Site;
import io.belay.bench.store.Store;
import io.belay.bench.work.Failure;
import io.belay.bench.work.Sample;
import io.belay.bench.work.SharedMemory;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * The main class of a worker process. It stays for all rounds of a case, so that the compiler's work stays too. Its
 * input leads the process from step to step; when that ends, the process ends.
 */
public final class Worker {
    static final String CASE = "BELAY_BENCH_CASE";
    static final String LIBRARY = "BELAY_BENCH_LIBRARY";
    static final String NAME = "BELAY_BENCH_NAME";
    static final String STORE = "BELAY_BENCH_STORE";
    static final String URL = "BELAY_BENCH_URL";
    static final String DIRECTORY = "BELAY_BENCH_DIRECTORY";
    static final String NUMBER = "BELAY_BENCH_NUMBER";
    static final String SCALE = "BELAY_BENCH_SCALE";

    /** The step that asks for how many milliseconds the compiler has worked so far, and the beginning of the answer. */
    static final String COMPILED = "compiled";

    private Worker() {}

    public static void main(String[] args) {
        try {
            work();
            Runtime.getRuntime().halt(0);
        } catch (Throwable e) {
            Failure.end(e);
        }
    }

    private static void work() throws Exception {
        Case task = Cases.find(setting(CASE)).orElseThrow();
        Library library = Libraries.get(Store.valueOf(setting(STORE)), setting(LIBRARY));
        Path directory = Path.of(setting(DIRECTORY));
        SharedMemory shared = SharedMemory.map(directory.resolve("shared"));
        try (Locks locks = library.open(new Site(URI.create(setting(URL)), directory))) {
            WorkContext context = new WorkContext(
                    locks,
                    setting(NAME),
                    Integer.parseInt(setting(NUMBER)),
                    shared,
                    Double.parseDouble(setting(SCALE)));
            Workload workload = task.work(context);
            say("connected");
            follow(workload);
        }
    }

    private static void follow(Workload workload) throws Exception {
        BufferedReader steps = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String step = steps.readLine(); step != null; step = steps.readLine()) {
            if (step.equals("start")) {
                workload.start();
                say("started");
            } else if (step.equals(COMPILED)) {
                say(COMPILED + " " + ManagementFactory.getCompilationMXBean().getTotalCompilationTime());
            } else if (step.equals("stop")) {
                say("stopped " + Sample.print(workload.stop()));
            } else {
                Duration time = Duration.ofMillis(Long.parseLong(step));
                say("result " + workload.measure(time).print());
            }
        }
    }

    private static String setting(String name) {
        return Objects.requireNonNull(System.getenv(name), name);
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
