package io.belay.server;

import io.belay.spi.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fault that some versions of a server are known to have, and that matters to locks. A store lists those of its
 * server, each with a source that can be looked up.
 *
 * @param severity how bad it is
 * @param from the first version that has it
 * @param before the first later version that has it no more
 * @param finding what those versions do: the end of a sentence that begins with the product and its version
 * @param cure what to do about it, in one sentence
 */
public record KnownFault(Finding.Severity severity, String from, String before, String finding, String cure) {
    private static final Pattern VERSION = Pattern.compile("(\\d{1,9})(?:\\.(\\d{1,9}))?(?:\\.(\\d{1,9}))?.*");

    public KnownFault {
        Objects.requireNonNull(severity, "severity");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(finding, "finding");
        Objects.requireNonNull(cure, "cure");
    }

    /**
     * Returns what is known of a version.
     *
     * @param product the server's name, as users know it
     * @param version what the server says; of what does not begin with a number nothing is known
     */
    public static List<Finding> in(String product, String version, List<KnownFault> known) {
        Objects.requireNonNull(product, "product");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(known, "known");
        List<Finding> findings = new ArrayList<>();
        for (KnownFault fault : known) {
            if (fault.has(version)) {
                findings.add(Finding.of(
                        fault.severity, "version", product + " " + version + " " + fault.finding, fault.cure));
            }
        }
        return findings;
    }

    private boolean has(String version) {
        int[] parts = parts(version);
        return parts.length > 0 && Arrays.compare(parts, parts(from)) >= 0 && Arrays.compare(parts, parts(before)) < 0;
    }

    private static int[] parts(String version) {
        Matcher matcher = VERSION.matcher(version);
        if (!matcher.matches()) {
            return new int[0];
        }
        int[] parts = new int[matcher.groupCount()];
        for (int i = 0; i < parts.length; i++) {
            String part = matcher.group(i + 1);
            parts[i] = part == null ? 0 : Integer.parseInt(part);
        }
        return parts;
    }
}
