package io.belay.server;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The words for a TLS handshake in which one side did not like what the other is or shows, with the cure; each is the end of a
 * sentence whose subject is the server.
 *
 * @param ca the file of certificates that are trusted; null for those that the JVM trusts
 * @param plain what to write where the server does not speak TLS
 * @param otherHost what may be done beside connecting by a name of the certificate's, as the end of a sentence; empty for nothing
 * @param own what to do about a server that does not like this client's certificate, or wants one
 */
public record TlsRefusal(@Nullable Object ca, String plain, String otherHost, String own) {
    private static final Pattern NO_TLS = Pattern.compile("not an SSL/TLS record|plaintext");

    private static final Pattern NOT_TRUSTED = Pattern.compile("valid certification path|trust anchor");

    private static final Pattern OTHER_HOST = Pattern.compile("subject alternative|No name matching");

    /** The JDK's words for the dates of a path of certificates, and of one alone, with the date. */
    private static final Pattern OUT_OF_DATE = Pattern.compile("validity check failed|Not(?:After|Before): .*");

    public TlsRefusal {
        Objects.requireNonNull(plain, "plain");
        Objects.requireNonNull(otherHost, "otherHost");
        Objects.requireNonNull(own, "own");
    }

    /**
     * Returns what to do about this client's certificate where the URL names its files by cert= and key=.
     *
     * @param cert what cert= says; null if nothing
     */
    public static String own(@Nullable Object cert) {
        return cert == null
                ? "if it asks for a certificate of this client, name its files by cert= and key="
                : "check the certificate and key that cert= and key= name";
    }

    /** Returns what is wrong, by the reason that the JDK gives. */
    public String words(String reason) {
        Objects.requireNonNull(reason, "reason");
        if (NO_TLS.matcher(reason).find()) {
            return "does not speak TLS there: " + plain;
        } else if (NOT_TRUSTED.matcher(reason).find()) {
            return "shows a certificate that "
                    + (ca == null ? "the JVM does not trust" : "no certificate in " + ca + " has signed")
                    + ": name the file of its CA by ca=";
        } else if (OTHER_HOST.matcher(reason).find()) {
            return "shows a certificate for another host: connect by a name in it" + otherHost + " (" + reason + ")";
        } else if (reason.contains("alert")) {
            return "broke off the TLS handshake: " + own + " (" + reason + ")";
        }
        return outOfDate(reason).orElse("failed in the TLS handshake: " + reason);
    }

    /** Returns what is wrong with the dates of a certificate; empty if that is not the reason. */
    public static Optional<String> outOfDate(String reason) {
        Matcher refused = OUT_OF_DATE.matcher(Objects.requireNonNull(reason, "reason"));
        return refused.find()
                ? Optional.of(
                        "shows a certificate that has expired, or is not valid yet: renew it, or set this machine's"
                                + " clock right (" + refused.group() + ")")
                : Optional.empty();
    }
}
