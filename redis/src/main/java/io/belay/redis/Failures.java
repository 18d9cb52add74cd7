package io.belay.redis;

import io.belay.spi.StoreException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What users are told when Redis fails: one line that names the server and the cure. */
final class Failures {
    private final Settings settings;

    Failures(Settings settings) {
        this.settings = settings;
    }

    StoreException silent() {
        return unreachable("did not answer within " + settings.timeout().toMillis() + " ms", null);
    }

    StoreException disconnected() {
        return unreachable("closed the connection", null);
    }

    StoreException notAnAnswer(String what) {
        return unusable("answered what Belay's scripts do not answer (" + what + ")", null);
    }

    /** What was thrown, while a connection was made or a command was on its way. */
    StoreException of(Throwable error) {
        @Nullable String reply = null;
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof StoreException known) {
                return known;
            } else if (e instanceof UnknownHostException) {
                return unreachable("cannot be found: its host name is not known", error);
            } else if (e instanceof ConnectException) {
                return unreachable("cannot be reached: " + reason(e) + "; is it running?", error);
            } else if (e instanceof RedisCommandTimeoutException || e instanceof TimeoutException) {
                return silent();
            } else if (e instanceof SSLException || e instanceof GeneralSecurityException) {
                return tls(e);
            }
            if (!(e instanceof CompletionException || e instanceof ExecutionException) && e.getMessage() != null) {
                reply = e.getMessage();
            }
        }
        return reply(reply == null ? error.getClass().getSimpleName() : reply, null);
    }

    /**
     * An error that the server replied.
     *
     * @param resource the resource that the command was about; null if none
     */
    StoreException reply(String error, @Nullable String resource) {
        String code = error.split(" ", 2)[0];
        String key = resource == null ? "a key" : "the key '" + settings.prefix() + resource + "'";
        switch (code) {
            case "WRONGPASS", "NOAUTH":
                return unusable("refused the user or password: " + error, null);
            case "NOPERM":
                return rights(error);
            case "WRONGTYPE":
                return unusable(
                        "holds something else under " + key + "; remove that, or give locks another prefix", null);
            case "BELAYRECORD":
                return unusable(
                        "holds under " + key + " what this version of Belay has not written; remove that, or give locks"
                                + " another prefix",
                        null);
            case "MOVED", "CROSSSLOT", "CLUSTERDOWN":
                return unusable("is a node of a cluster, which this URL does not do for", null);
            case "OOM":
                return unreachable("is out of memory: raise maxmemory (" + error + ")", null);
            case "READONLY":
                return unreachable("is a replica, which cannot be written to; name its master", null);
            default:
                return other(error, key);
        }
    }

    private StoreException other(String error, String key) {
        if (error.contains("executing the script can't") || error.contains("permissions to")) {
            return rights(error);
        } else if (error.contains("no password is set") || error.contains("invalid password")) {
            return unusable("refused the password: " + error, null);
        } else if (error.contains("OOM command not allowed")) {
            return unreachable("is out of memory: raise maxmemory", null);
        } else if (error.contains("WRONGTYPE ")) {
            return reply(error.substring(error.indexOf("WRONGTYPE ")), null);
        } else if (error.contains("to 'unpack'")) {
            return unusable("holds a damaged record under " + key + "; remove it", null);
        } else if (error.contains("DB index is out of range")) {
            return unusable("has no database " + settings.database(), null);
        }
        return unreachable("failed: " + error, null);
    }

    StoreException rights(String error) {
        return unusable(
                "lacks rights for its user (" + error + "); an administrator grants them by ACL SETUSER NAME "
                        + settings.rights(),
                null);
    }

    private StoreException tls(Throwable error) {
        String reason = reason(error);
        String hint = reason.contains("not an SSL/TLS record") || reason.contains("plaintext")
                ? "; it does not speak TLS there: write redis://"
                : reason.contains("PKIX") || reason.contains("path") ? "; name the CA's file by ca=" : "";
        return unusable("cannot be trusted or refused the certificate: " + reason + hint, error);
    }

    StoreException unusable(String what, @Nullable Throwable cause) {
        return StoreException.unusable(line(what), cause);
    }

    StoreException unreachable(String what, @Nullable Throwable cause) {
        return StoreException.unreachable(line(what), cause);
    }

    private String line(String what) {
        return settings.address() + " " + what;
    }

    private static String reason(Throwable error) {
        String message = error.getMessage();
        return message == null
                ? error.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }
}
