package io.belay.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.StoreUnavailableException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RoundTripsTest {
    private long now;
    private int asked;

    private RoundTrips ofRequestsThatTake(long millis, int answered) {
        return RoundTrips.measure(
                () -> {
                    now += TimeUnit.MILLISECONDS.toNanos(millis);
                    if (++asked > answered) {
                        throw new StoreUnavailableException("it went away", null);
                    }
                },
                () -> now);
    }

    private static RoundTrips of(long... micros) {
        return new RoundTrips(LongStream.of(micros).map(each -> each * 1000).toArray(), "");
    }

    @Test
    void fiftyCountAfterTheFirstTen() {
        RoundTrips trips = ofRequestsThatTake(2, 1000);
        assertThat(asked).isEqualTo(60);
        assertThat(trips.json())
                .containsEntry("requests", 50)
                .containsEntry("medianMillis", 2.0)
                .containsEntry("worstMillis", 2.0)
                .doesNotContainKey("obstacle");
    }

    @Test
    void aStoreThatIsFarAwayIsAskedForFiveSeconds() {
        assertThat(ofRequestsThatTake(250, 1000).nanos()).hasSize(10);
    }

    /** Just there the figure decides. */
    @Test
    void ofAStoreThatIsVerySlowAllButTheFirstCount() {
        assertThat(ofRequestsThatTake(600, 1000).json())
                .containsEntry("requests", 8)
                .containsEntry("medianMillis", 600.0)
                .doesNotContainKey("obstacle");
        assertThat(ofRequestsThatTake(9000, 1000).json())
                .as("where there is but one")
                .containsEntry("requests", 1)
                .containsEntry("medianMillis", 9000.0);
    }

    @Test
    void aStoreThatGoesAwayLeavesWhatWasMeasured() {
        RoundTrips trips = ofRequestsThatTake(1, 15);
        assertThat(trips.nanos()).hasSize(5);
        assertThat(trips.obstacle()).isEqualTo("it went away");
        assertThat(ofRequestsThatTake(1, 0).json()).containsEntry("requests", 0).hasSize(2);
    }

    @Test
    void chartHasALineForEachSpan() {
        RoundTrips trips = of(6400, 100, 100, 100, 250, 100);
        assertThat(trips.median()).isEqualTo(100_000);
        assertThat(trips.worst()).isEqualTo(6_400_000);
        assertThat(new RoundTripChart(trips).text().lines())
                .containsExactly(
                        "round trips of 6 requests: median 0.100 ms, worst 6.400 ms",
                        "",
                        "    0.200 ms  ########################################    4",
                        "    0.400 ms  ##########                                  1",
                        "    0.800 ms                                              0",
                        "    1.600 ms                                              0",
                        "    3.200 ms                                              0",
                        "    6.400 ms  ##########                                  1");
        assertThat(new RoundTripChart(of(100, 100)).text().lines()).hasSize(8);
        assertThat(new RoundTripChart(of(0)).text().lines()).hasSize(8);
        assertThat(new RoundTripChart(of()).text()).isEqualTo("round trips were not measured");
    }
}
