package io.belay.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Prometheus sees in one scrape.
 *
 * @param values the values by meter and tags, as they are written
 */
record Scrape(Map<String, Double> values) {
    private static final Pattern LOCK = Pattern.compile("lock=\"([^\"]*)\"");

    /** A registry of Prometheus whose clock stands still but between two scrapes. */
    static final class Target implements Clock {
        final PrometheusMeterRegistry registry =
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), this);
        private long nanos;

        @Override
        public long wallTime() {
            return 0;
        }

        @Override
        public long monotonicTime() {
            return nanos;
        }

        void pass(Duration time) {
            nanos += time.toNanos();
        }

        /** Scrapes at once. */
        Scrape again() {
            return parse(registry.scrape());
        }

        /** Scrapes a second later. */
        Scrape next() {
            pass(Duration.ofSeconds(1));
            return again();
        }
    }

    private static Scrape parse(String text) {
        Map<String, Double> values = new TreeMap<>();
        for (String line : text.split("\n")) {
            if (!line.startsWith("#")) {
                int space = line.lastIndexOf(' ');
                values.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
            }
        }
        return new Scrape(values);
    }

    /** Returns the values of one family's meters, without the tag and without what all names begin with. */
    Map<String, Double> of(String family) {
        Map<String, Double> of = new TreeMap<>();
        values.forEach((meter, value) -> {
            Matcher lock = LOCK.matcher(meter);
            if (lock.find() && lock.group(1).equals(family)) {
                String rest = meter.replace(lock.group(), "").replaceAll("\\{,?|}", " ");
                of.put(rest.replaceFirst("belay_lock_", "").strip(), value);
            }
        });
        return of;
    }

    Set<String> families() {
        Set<String> families = new TreeSet<>();
        for (String meter : values.keySet()) {
            Matcher lock = LOCK.matcher(meter);
            if (lock.find()) {
                families.add(lock.group(1));
            }
        }
        return families;
    }
}
