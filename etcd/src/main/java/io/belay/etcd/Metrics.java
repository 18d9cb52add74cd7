package io.belay.etcd;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a member tells among its metrics, and by no request.
 *
 * @param quota the size that its database may have, in bytes
 * @param refreshes whether leases have their whole time anew where it becomes the leader, as a feature gate says since 3.6;
 *     false also where it does not tell
 */
record Metrics(OptionalLong quota, boolean refreshes) {
    /** The quota of etcd where nothing else is said, in bytes. */
    static final long USUAL_QUOTA = 2L << 30;

    /** Those of a member that is not asked, or does not answer. */
    static final Metrics UNTOLD = new Metrics(OptionalLong.empty(), false);

    private static final int PATIENCE_MILLIS = 2_000;
    private static final Pattern QUOTA =
            Pattern.compile("etcd_server_quota_backend_bytes (\\d{1,18}(?:\\.\\d{1,18}(?:e\\+\\d{1,2})?)?)");
    private static final Pattern NO_CHECKPOINTS =
            Pattern.compile("etcd_server_feature_enabled\\{name=\"LeaseCheckpoint\",[^}]*} 0");

    /** Asks a member that does without TLS. */
    static Metrics of(String member) {
        try {
            HttpURLConnection asked = (HttpURLConnection)
                    URI.create("http://" + member + "/metrics").toURL().openConnection();
            asked.setConnectTimeout(PATIENCE_MILLIS);
            asked.setReadTimeout(PATIENCE_MILLIS);
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(asked.getInputStream(), StandardCharsets.UTF_8))) {
                return read(lines.lines().toList());
            }
        } catch (IOException | UncheckedIOException e) { // the latter from the lines, in the middle of the answer
            return UNTOLD;
        }
    }

    static Metrics read(List<String> lines) {
        OptionalLong quota = lines.stream()
                .map(QUOTA::matcher)
                .filter(Matcher::matches)
                .mapToLong(found -> (long) Double.parseDouble(found.group(1)))
                .filter(bytes -> bytes > 0)
                .findFirst();
        return new Metrics(quota, lines.stream().anyMatch(NO_CHECKPOINTS.asMatchPredicate()));
    }
}
