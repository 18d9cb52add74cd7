package io.belay.etcd;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The size that a member's database may have, which etcd tells among its metrics and by no request. */
final class Quota {
    /** What etcd takes where nothing else is said, in bytes. */
    static final long USUAL = 2L << 30;

    private static final int PATIENCE_MILLIS = 2_000;
    private static final Pattern METRIC =
            Pattern.compile("etcd_server_quota_backend_bytes (\\d{1,18}(?:\\.\\d{1,18}(?:e\\+\\d{1,2})?)?)");

    private Quota() {}

    /** Returns the quota of a member that does without TLS, in bytes; none if it does not tell. */
    static OptionalLong of(String member) {
        try {
            HttpURLConnection asked = (HttpURLConnection)
                    URI.create("http://" + member + "/metrics").toURL().openConnection();
            asked.setConnectTimeout(PATIENCE_MILLIS);
            asked.setReadTimeout(PATIENCE_MILLIS);
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(asked.getInputStream(), StandardCharsets.UTF_8))) {
                return lines.lines()
                        .map(METRIC::matcher)
                        .filter(Matcher::matches)
                        .mapToLong(found -> (long) Double.parseDouble(found.group(1)))
                        .filter(bytes -> bytes > 0)
                        .findFirst();
            }
        } catch (IOException | UncheckedIOException e) { // the latter from the lines, in the middle of the answer
            return OptionalLong.empty();
        }
    }
}
