package io.belay.redis;

import io.belay.spi.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.protocol.RedisProtocolException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The messages to users when Redis fails: one line that names the server and the cure. */
final class Failures {
    /** The text that Netty puts around the words of the system: the call and number before, the address behind. */
    private static final Pattern AROUND =
            Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): |: \\S*/\\S*$");

    /** The words of Lettuce for a connection that was there, and ended before it was of use. */
    private static final String CUT = "Connection disconnected";

    private static final String TOO_QUICK = "RedisHandshakeHandler not registered";

    private final Settings settings;
    private final Replies replies;
    private final KnownServers known;

    Failures(Settings settings) {
        this(settings, new KnownServers());
    }

    Failures(Settings settings, KnownServers known) {
        this.settings = settings;
        this.known = known;
        replies = new Replies(settings);
    }

    /**
     * Returns the failure of a server that has not answered.
     *
     * @param heldUp for how long this process could not have heard the server, besides
     */
    StoreException silent(Duration longest, Duration heldUp) {
        boolean busy = heldUp.compareTo(longest.dividedBy(2)) > 0;
        return unreachable(
                "did not answer within " + longest.toMillis() + " ms: is it stopped or overloaded"
                        + (settings.secure() && !hasAnswered()
                                ? ", or does it not speak TLS there (then write redis" + ofCluster() + "://)?"
                                : "?")
                        + (busy
                                ? " This process was held up itself, for another " + heldUp.toMillis()
                                        + " ms: perhaps it is the whole machine that is overloaded"
                                : ""),
                null);
    }

    /** Returns the failure of a connection that was not ready in time, though the server was not silent so long. */
    StoreException unfinished(Duration longest, boolean wasAsked) {
        return unreachable(
                wasAsked
                        ? "answers, but this process could not make a connection of that within " + longest.toSeconds()
                                + " s: is this machine overloaded?"
                        : "could not be asked for a connection within " + longest.toSeconds()
                                + " s: do the name servers answer, or is this machine overloaded?",
                null);
    }

    /** Notes that the server was understood. */
    void answered() {
        known.answered(address());
    }

    private boolean hasAnswered() {
        return known.hasAnswered(address());
    }

    private String ofCluster() {
        return settings.cluster() ? "-cluster" : "";
    }

    /** Returns the failure of an application that was asked as whom to connect: it is over when the application can say. */
    StoreException withoutCredentials(String why, Throwable cause) {
        return unreachable("cannot be connected to: the credentials could not be had: " + why, cause);
    }

    /** Returns the failure of credentials that the application has told, where others of its were accepted. */
    StoreException outdatedCredentials() {
        return unreachable(
                "refused the user or password that the application gave, as while they are changed: it is asked again",
                null);
    }

    /** Returns whether a server did not accept the user or the password. */
    static boolean isLoginRefused(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof RedisCommandExecutionException && Replies.isLoginRefused(String.valueOf(e.getMessage()))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the name of the server in messages. */
    String address() {
        return settings.address();
    }

    StoreException disconnected() {
        return unreachable("closed the connection", null);
    }

    /** Explains what was thrown while a connection was made, which was to take no longer than {@code longest}. */
    StoreException of(Throwable error, Duration longest) {
        String last = "";
        for (Throwable e = error; e != null; e = e.getCause()) {
            // One that only wraps another repeats its message.
            StoreException known =
                    e instanceof CompletionException && e.getCause() != null ? null : known(e, error, longest);
            if (known != null) {
                return known;
            }
            last = reason(e);
        }
        return unreachable("cannot be used now: " + last, null);
    }

    private @Nullable StoreException known(Throwable e, Throwable whole, Duration longest) {
        if (e instanceof StoreException known) {
            return known;
        } else if (e instanceof RedisCommandExecutionException
                || (e instanceof RedisConnectionException && reason(e).startsWith(Replies.DENIED))) {
            return reply(String.valueOf(e.getMessage()), null);
        } else if (e instanceof Redirect) { // of what is tried out while a connection is made
            return unreachable(Replies.MOVED, whole);
        } else if (e instanceof UnknownHostException) {
            return unreachable("cannot be found: its host name is not known; check the URL", whole);
        } else if (e instanceof FileNotFoundException) {
            return unreachable("cannot be reached: there is no such socket; is it running?", whole);
        } else if (e instanceof ConnectException) {
            return unreachable("cannot be reached: " + reason(e) + "; is it running?", whole);
        } else if (e instanceof RedisCommandTimeoutException || e instanceof TimeoutException) {
            return silent(longest, Duration.ZERO);
        } else if (e instanceof SSLException || e instanceof GeneralSecurityException) {
            String why = settings.tls().explain(reason(e));
            return known.isConnected() ? unreachable(why, whole) : unusable(why, whole);
        } else if (e instanceof RedisProtocolException) {
            return unusable(Replies.OTHER, whole);
        } else if (reason(e).equals(CUT)) {
            return cut();
        } else if (e instanceof ClosedChannelException || closedEarly(e)) {
            return closedEarly();
        } else if (e instanceof IOException) {
            return unreachable("cannot be reached: " + reason(e), whole);
        } else if (isOtherKind(e)) {
            return unusable(Replies.OTHER, whole);
        }
        return null;
    }

    /** Returns whether the readers of replies, Lettuce among them, throw this at a reply that no Redis gives. */
    private static boolean isOtherKind(Throwable e) {
        return e.getCause() == null
                && (e instanceof UnsupportedOperationException
                        || e instanceof NullPointerException
                        || e instanceof ClassCastException
                        || e instanceof IndexOutOfBoundsException
                        || (e instanceof IllegalArgumentException && !(e instanceof UnresolvedAddressException)));
    }

    /** Returns whether the server closed the connection while it was made: Lettuce has no type for that. */
    private static boolean closedEarly(Throwable e) {
        String reason = reason(e);
        return reason.contains("onnection reset") || isWithoutReason(reason);
    }

    private static boolean isWithoutReason(String reason) {
        return reason.contains("Connection closed prematurely") || reason.contains(TOO_QUICK);
    }

    /**
     * Returns whether the server ended the connection before Lettuce was ready to hear why, or Lettuce told of the end before
     * it told of the refusal.
     */
    static boolean isWithoutReason(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (isWithoutReason(reason(e))) {
                return true;
            }
        }
        return false;
    }

    private StoreException cut() {
        return unreachable(
                "closed the connection while it was made, as a shutdown does, a CLIENT KILL, or a proxy that has no server",
                null);
    }

    private StoreException closedEarly() {
        if (hasAnswered()) {
            return cut();
        }
        String hint = settings.secure()
                ? ": if it asks for a certificate of this client, name its files by cert= and key=; if it does not"
                        + " speak TLS there, write redis" + ofCluster() + "://"
                : settings.socket().isEmpty() ? ": if it speaks TLS there, write rediss" + ofCluster() + "://" : "";
        return unreachable("closed the connection while it was made" + hint, null);
    }

    /** Explains what was thrown while a command was on its way. */
    StoreException underWay(Throwable error) {
        return error instanceof StoreException known ? known : disconnected();
    }

    /** Explains what was thrown while names were read. */
    StoreException listing(Throwable error) {
        if (error instanceof RedisCommandExecutionException) {
            return replies.explainListing(String.valueOf(error.getMessage()));
        }
        return error instanceof CancellationException ? disconnected() : of(error, settings.timeout());
    }

    /**
     * Explains an error that the server replied.
     *
     * @param resource the resource that the command was about; null if none
     */
    StoreException reply(String error, @Nullable String resource) {
        return replies.explain(error, resource);
    }

    /** Explains an error that a script found at one of several keys. */
    StoreException ofKey(String error, String resource) {
        return replies.explainKey(error, resource);
    }

    StoreException unusable(String what, @Nullable Throwable cause) {
        return StoreException.unusable(settings.line(what), cause);
    }

    StoreException unreachable(String what, @Nullable Throwable cause) {
        return StoreException.unreachable(settings.line(what), cause);
    }

    /** Returns the first line of an error's message, without what Netty puts around it; its type if it has none. */
    static String reason(Throwable error) {
        String message = error.getMessage();
        return message == null || message.isBlank()
                ? error.getClass().getSimpleName()
                : AROUND.matcher(message.lines().findFirst().orElse("")).replaceAll("");
    }
}
