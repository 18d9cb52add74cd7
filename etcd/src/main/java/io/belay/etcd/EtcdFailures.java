package io.belay.etcd;

import io.belay.spi.StoreException;
import io.etcd.jetcd.common.exception.EtcdException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** The messages to users when etcd fails: one line that names it and the cure. */
final class EtcdFailures {
    /** The text that gRPC, etcd and Netty put before the words of the system, and the address behind them. */
    private static final Pattern NOISE =
            Pattern.compile("^[A-Z_]+: (etcdserver: )?|^\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): |: \\S*/\\S*$");

    /** A connection that was broken off, or an answer in TLS where none was expected. */
    private static final Pattern BROKEN_OFF = Pattern.compile("(?i).*(closed|reset|broken pipe|not settings).*");

    /** What a learner says; as an error that is for good since 3.6, and as one that passes before. */
    private static final String LEARNER = "not supported for learner";

    /** The words of a member that is cut off from the others, or elects with them. */
    private static final String NO_LEADER = "no leader";

    /** The words of a member whose users or rights have changed since this client logged in. */
    private static final String USERS_CHANGED = "revision of auth store is old";

    private final EtcdUrl url;

    /** Whether it has been had by TLS: another certificate is one that is being renewed, and may be mended. */
    private volatile boolean trusted;

    EtcdFailures(EtcdUrl url) {
        this.url = url;
    }

    /** Explains what a request has thrown. */
    StoreException of(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof StoreException known) {
                return known;
            } else if (e instanceof ConnectException) {
                return unreachable("cannot be reached: " + reason(e) + "; is it running?");
            } else if (e instanceof UnknownHostException) {
                return unreachable("cannot be found: its host name is not known; check the URL");
            } else if (e instanceof TimeoutException || e instanceof SslHandshakeTimeoutException) {
                // Also where it takes connections and does not shake hands, as one that is stopped.
                return unreachable("did not answer in time: is it stopped, or without a majority of its members?");
            } else if (e instanceof SSLException && url.tls() != null) {
                return secured(e, url.tls());
            }
        }
        Status.Code code = code(error);
        String reason = reason(error);
        if (reason.contains(LEARNER)) {
            return unreachable(
                    "has a member that is a learner still: promote it, or leave it out of the URL until then");
        } else if (reason.endsWith(NO_LEADER)) {
            return unreachable("has no leader now: is it electing one, or without a majority of its members?");
        } else if (reason.contains("GOAWAY")) {
            return unreachable("is ending its connections: is it being restarted?");
        } else if (reason.startsWith("HTTP status code") && code != Status.Code.UNIMPLEMENTED) {
            return unreachable("answers " + reason + ": is it just starting, or is a proxy before it?");
        }
        return switch (code) {
            case UNAUTHENTICATED -> unreachable("does not know this client's login any more; it logs in anew");
            case PERMISSION_DENIED -> denied();
            case INVALID_ARGUMENT, FAILED_PRECONDITION -> refused(reason);
            case UNIMPLEMENTED -> unusable("is no etcd of version 3: " + reason);
            case RESOURCE_EXHAUSTED ->
                unreachable(
                        isFull(error)
                                ? "has no room: " + reason
                                        + "; compact it and defragment its members one by one, never the leader"
                                        + " (etcdctl move-leader), then etcdctl alarm disarm"
                                : "cannot be used now: " + reason); // as where it has too much to do
            case DATA_LOSS -> unreachable("says that its members differ: let belay doctor tell more");
            default ->
                unreachable("cannot be used now: " + reason
                        + (BROKEN_OFF.matcher(reason).matches() ? hint() : ""));
        };
    }

    /** Notes that etcd has answered. */
    void trust() {
        trusted = true;
    }

    /** Explains a failure of TLS. Of one member among several the next request goes to another, or to this one mended. */
    private StoreException secured(Throwable e, Tls tls) {
        if (!isDistrust(e)) {
            return unreachable("cannot be used now: its connection by TLS failed: " + reason(e));
        }
        String why = tls.explain(reason(e));
        return url.addresses().size() == 1 && !trusted ? unusable(why) : unreachable(why);
    }

    /**
     * Returns whether one side does not like what the other is or shows. Other failures of TLS are those by which a connection
     * ends that was well until then, or that of a server that just loads another certificate.
     */
    static boolean isDistrust(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof SSLException) {
                return (e instanceof SSLHandshakeException && !(e instanceof SslHandshakeTimeoutException))
                        || e instanceof SSLPeerUnverifiedException
                        || e instanceof NotSslRecordException;
            }
        }
        return false;
    }

    private String hint() {
        return url.tls() == null
                ? "; if it speaks TLS there, write etcds://"
                : url.tls().hint();
    }

    private StoreException denied() {
        return unusable("denies " + (url.password() == null ? "this client" : "the user " + url.user())
                + " a right: let etcdctl role grant-permission ROLE readwrite " + url.prefix()
                + " --prefix=true give it to a role of its user");
    }

    /** Explains a request that etcd calls wrong: what it says of users has the codes of such requests. */
    private StoreException refused(String reason) {
        if (isRefusedLogin(reason)) {
            return unusable("refused the user or password: check both; in a URL a % of theirs is written %25");
        } else if (reason.contains("authentication is not enabled")) {
            return unusable("knows no users, as its authentication is not enabled: leave USER:PASSWORD@ out of the URL,"
                    + " or enable it by etcdctl auth enable");
        } else if (reason.contains("user name is empty")) {
            return unusable("asks for a user: write USER:PASSWORD@ before the hosts into the URL");
        } else if (reason.contains(USERS_CHANGED)) {
            return unreachable("has just had its users or their rights changed");
        }
        return unusable("refused a request: " + reason);
    }

    StoreException unreachable(String what) {
        return StoreException.unreachable(url + " " + what, null);
    }

    StoreException unusable(String what) {
        return StoreException.unusable(url + " " + what, null);
    }

    /**
     * Returns the innermost code: whatever keeps jetcd from logging in, jetcd says that the login was refused, and has
     * the true error as the cause.
     */
    private static Status.Code code(Throwable error) {
        Status.Code code = Status.Code.UNKNOWN;
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof StatusRuntimeException status) {
                code = status.getStatus().getCode();
            } else if (e instanceof EtcdException known && known.getCause() == null) {
                code = Status.Code.valueOf(known.getErrorCode().name());
            }
        }
        return code;
    }

    private static String reason(Throwable error) {
        Throwable last = error;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        String message = last.getMessage();
        return message == null
                ? "the connection was closed"
                : NOISE.matcher(message.lines().findFirst().orElse("")) // more may be a whole page
                        .replaceAll("");
    }

    /** Returns whether an error says that a revision is not remembered any more. */
    static boolean isCompacted(Throwable error) {
        return reason(error).contains("has been compacted");
    }

    /** Returns whether etcd says that there is no such user, or that its password is another. */
    static boolean isRefusedLogin(@Nullable String said) {
        return said != null && said.contains("invalid user ID or password");
    }

    /** Returns whether a member says that it has done nothing, where others may serve. */
    static boolean isForAnother(@Nullable String said) {
        return said != null && (said.endsWith(NO_LEADER) || said.endsWith(LEARNER));
    }

    static boolean isForAnother(Throwable error) {
        return isForAnother(reason(error));
    }

    /** Returns whether an error says that nothing was done, as the client has to log in anew. */
    static boolean isLoginOver(Throwable error) {
        String reason = reason(error);
        return code(error) == Status.Code.UNAUTHENTICATED
                || reason.contains("invalid auth token")
                || reason.contains(USERS_CHANGED);
    }

    /** Returns whether an error says that etcd has no room for what is to be written. */
    static boolean isFull(Throwable error) {
        return reason(error).contains("space exceeded");
    }

    /** Returns whether an error says that a lease is not there any more. */
    static boolean isNotFound(@Nullable Throwable error) {
        return error != null
                && (code(error) == Status.Code.NOT_FOUND || reason(error).contains("lease not found"));
    }
}
