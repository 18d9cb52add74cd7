package io.belay.trials.jsr166;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.trials.jsr166.Verdict.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class VerdictTest {
    @ParameterizedTest
    @CsvSource({
        "testDrainPermits, true, '', PASSED",
        "testDrainPermits, false, expected:<0> but was:<1>, FAILED",
        "testToString_fair, false, junit.framework.AssertionFailedError, DECLARED",
        "testToString_fair, true, '', FAILED",
        "testToString_fair, false, java.lang.NullPointerException, FAILED"
    })
    void failuresAreMeasuredByTheTable(String method, boolean passed, String message, Kind kind) {
        assertThat(kind(JdkTest.SEMAPHORE, method, passed, message)).isEqualTo(kind);
    }

    private static Kind kind(JdkTest test, String method, boolean passed, String message) {
        return Verdict.of(new Outcome(test, method, passed, 1, message)).kind();
    }

    @Test
    void whatDependsOnTheTimeMayPassOrFailAsDeclared() {
        String method = "testReadTryLockBarging";
        assertThat(kind(JdkTest.READ_WRITE_LOCK, method, true, "")).isEqualTo(Kind.PASSED);
        assertThat(kind(JdkTest.READ_WRITE_LOCK, method, false, "does not hold the lock"))
                .isEqualTo(Kind.DECLARED);
        assertThat(kind(JdkTest.READ_WRITE_LOCK, method, false, "something else"))
                .isEqualTo(Kind.FAILED);
        assertThat(kind(JdkTest.READ_WRITE_LOCK, method + "_fair", true, "")).isEqualTo(Kind.FAILED);
    }

    @Test
    void reportsTellWhatFailedAndWhy() {
        Setting memory = new Setting("memory", Way.STICKY);
        Setting redis = new Setting("redis", Way.DEFAULT);
        Report report = new Report();
        report.add(memory, new Outcome(JdkTest.LATCH, "testAwait", true, 1, ""));
        report.add(memory, new Outcome(JdkTest.LATCH, "testToString", false, 1, "AssertionFailedError"));
        assertThat(report.isClean()).isTrue();
        report.add(memory, new Outcome(JdkTest.LATCH, "testCountDown", false, 1, "too few"));
        report.add(redis, new Outcome(JdkTest.LATCH, "testCountDown", true, 1, ""));

        assertThat(report.isClean()).isFalse();
        assertThat(report.lines(memory))
                .containsExactly(
                        "memory, sticky: 1 passed, 1 declared, 1 FAILED",
                        "     1 declared: " + Difference.TO_STRING.reason(),
                        "  FAILED CountDownLatchTest.testCountDown: too few");
        assertThat(report.line(redis, JdkTest.LATCH)).contains("1 passed, 0 declared, 0 FAILED");
    }

    @Test
    void outcomesSurviveTheWayToTheParent() {
        Outcome outcome = new Outcome(JdkTest.COUNT, "main", false, 7, "it is: wrong");
        assertThat(Outcome.of(JdkTest.COUNT, outcome.line())).isEqualTo(outcome);
    }

    @ParameterizedTest
    @EnumSource(Difference.class)
    void usersAreToldWhatIsNotKept(Difference difference) throws IOException {
        assertThat(difference.tests()).isNotEmpty();
        assertThat(Files.readString(Path.of("../docs/locks.md")).replaceAll("\\s+", " "))
                .contains("- " + difference.reason());
    }
}
