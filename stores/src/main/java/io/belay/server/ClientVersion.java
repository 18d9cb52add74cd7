package io.belay.server;

import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of Belay, as a client's connections tell it to a server that shows who is connected. */
public final class ClientVersion {
    private static final Pattern LABEL = Pattern.compile("belay/([\\w.+-]{1,40})");
    private static final String OWN = read();

    private ClientVersion() {}

    /** Returns the name for a connection: {@code belay/} and the version, without spaces. */
    public static String label() {
        return "belay/" + OWN;
    }

    /** Finds fault with clients of other versions; names that are not made by {@link #label} say nothing. */
    public static Optional<Finding> others(Collection<String> labels) {
        Objects.requireNonNull(labels, "labels");
        List<String> others = labels.stream()
                .map(LABEL::matcher)
                .filter(Matcher::matches)
                .map(label -> label.group(1))
                .filter(version -> !version.equals(OWN))
                .distinct()
                .sorted()
                .toList();
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of(Finding.of(
                        Severity.WARNING,
                        "clients",
                        "Clients of Belay " + String.join(", ", others) + " are connected, and this is " + OWN
                                + ": versions that keep locks in different layouts do not share them.",
                        "Use one version everywhere, or see that both have the same layout"
                                + " (docs/how-it-works.md#versions)."));
    }

    private static String read() {
        try (InputStream in = ClientVersion.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            properties.load(Objects.requireNonNull(in, "version.properties"));
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new IllegalStateException("version.properties", e);
        }
    }
}
