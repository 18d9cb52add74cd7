package io.belay.trials;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MainTest {
    private final StringWriter errors = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = Main.command();
        command.setErr(new PrintWriter(errors, true));
        return command.execute(arguments);
    }

    @ParameterizedTest
    @CsvSource({
        "--store moon, no store 'moon'",
        "--fault rain, no fault 'rain'",
        "--workload sleep, no workload 'sleep'",
        "--library books, no library 'books'",
        "--plant roses, no plant 'roses'",
        "--seconds 1, at least 5",
        "--store file --fault partition, can do nothing to --store file",
        "--store file --fault clock, can do nothing to --store file",
        "--store redis --fault isolate, can do nothing to --store redis",
        "--store etcd --fault rollback, isolate",
        "--store zookeeper --fault clock, isolate",
        "--store sentinel --fault failover --workload permits, which of two permits came later",
        "--store etcd --fault server --workload permits, which of two permits came later",
        "--store quorum --workload rw, exclusive locks alone",
        "--store quorum --workload order, no order",
        "--store file --fault outage, can do nothing to --store file",
        "--store file --fault half-open, can do nothing to --store file",
        "--store zookeeper --fault full, can do nothing to --store zookeeper",
        "--store redis --fault planned-failover, can do nothing to --store redis",
        "--store sentinel --fault outage, can do nothing to --store sentinel",
        "--store postgresql --workload storm, does not take a hundred clients",
        "--library redisson --store file, use --store redis",
        "--library redisson --workload guarded, use --workload mutex or counter",
        "--library redisson --workload mutex --plant token-reset, in belay only"
    })
    void wrongUsageIsToldInALine(String arguments, String told) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(errors.toString()).contains(told);
    }

    /** Java itself would end with 1, which is a result. */
    @Test
    void anErrorIsNoResult() {
        @CommandLine.Command
        final class Failing implements Runnable {
            @Override
            public void run() {
                throw new OutOfMemoryError("no thread is to be had");
            }
        }
        assertThat(Main.run(new CommandLine(new Failing()))).isEqualTo(2);
    }

    @Test
    void namesTheLibrariesAndTheBugs() {
        assertThat(run("--library", "list")).isZero();
        assertThat(run("--plant", "list")).isZero();
    }
}
