package io.belay.support;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words for certificates that are refused for their dates, as stores of all kinds are connected to by TLS. */
public final class CertificateDates {
    /** The JDK's words for it, of a path of certificates, and of one alone, with the date. */
    private static final Pattern REFUSED = Pattern.compile("validity check failed|Not(?:After|Before): .*");

    private CertificateDates() {}

    /**
     * Returns what is wrong with the dates, with its cure, as the end of a sentence whose subject is the server; empty if that is
     * not the reason.
     *
     * @param reason why the JDK has refused a certificate
     */
    public static Optional<String> complaint(String reason) {
        Matcher refused = REFUSED.matcher(Objects.requireNonNull(reason, "reason"));
        return refused.find()
                ? Optional.of(
                        "shows a certificate that has expired, or is not valid yet: renew it, or set this machine's"
                                + " clock right (" + refused.group() + ")")
                : Optional.empty();
    }
}
