package io.belay.etcd;

import io.belay.spi.StoreException;
import io.etcd.jetcd.common.exception.EtcdException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What users are told when etcd fails: one line that names it and the cure. */
final class EtcdFailures {
    /** What gRPC, etcd and Netty put before the words of the system, and the address behind them. */
    private static final Pattern NOISE =
            Pattern.compile("^[A-Z_]+: (etcdserver: )?|^\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): |: \\S*/\\S*$");

    private final String place;

    EtcdFailures(String place) {
        this.place = place;
    }

    /** What was thrown by a request. */
    StoreException of(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof StoreException known) {
                return known;
            } else if (e instanceof ConnectException) {
                return unreachable("cannot be reached: " + reason(e) + "; is it running?");
            } else if (e instanceof UnknownHostException) {
                return unreachable("cannot be found: its host name is not known; check the URL");
            } else if (e instanceof TimeoutException) {
                return unreachable("did not answer in time: is it stopped, or without a majority of its members?");
            }
        }
        Status.Code code = code(error);
        String reason = reason(error);
        return switch (code) {
            case UNAUTHENTICATED ->
                unusable("refused the user or password: check both; in a URL a % of theirs is written %25");
            case PERMISSION_DENIED ->
                unusable("denies its user a right: grant readwrite on the prefix, with etcdctl role grant-permission");
            case INVALID_ARGUMENT, FAILED_PRECONDITION ->
                reason.contains("user name is empty") || reason.contains("authentication")
                        ? unusable(
                                "asks for a user: write USER:PASSWORD@ before the hosts into the URL, or leave it out"
                                        + " where authentication is not enabled (" + reason + ")")
                        : unusable("refused a request: " + reason);
            case UNIMPLEMENTED -> unusable("is no etcd of version 3: " + reason);
            case RESOURCE_EXHAUSTED -> unreachable("has no room: " + reason + "; compact and defragment it");
            default -> unreachable("cannot be used now: " + reason);
        };
    }

    StoreException unreachable(String what) {
        return StoreException.unreachable("etcd at " + place + " " + what, null);
    }

    StoreException unusable(String what) {
        return StoreException.unusable("etcd at " + place + " " + what, null);
    }

    private static Status.Code code(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof StatusRuntimeException status) {
                return status.getStatus().getCode();
            } else if (e instanceof EtcdException known && known.getCause() == null) {
                return Status.Code.valueOf(known.getErrorCode().name());
            }
        }
        return Status.Code.UNKNOWN;
    }

    private static String reason(Throwable error) {
        Throwable last = error;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        String message = last.getMessage();
        return message == null
                ? "the connection was closed"
                : NOISE.matcher(message).replaceAll("");
    }

    /** Whether a lease is not there any more. */
    static boolean isNotFound(@Nullable Throwable error) {
        return error != null
                && (code(error) == Status.Code.NOT_FOUND || reason(error).contains("lease not found"));
    }
}
