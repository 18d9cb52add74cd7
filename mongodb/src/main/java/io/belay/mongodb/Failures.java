package io.belay.mongodb;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoConfigurationException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.connection.ServerDescription;
import io.belay.server.TlsRefusal;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** A translator of the driver's failures into what they mean to a user. */
final class Failures {
    private static final int FORBIDDEN = 13;
    private static final int AUTHENTICATION_FAILED = 18;
    private static final int NO_CHANGE_STREAMS = 40_573;

    /**
     * The codes of what an election, a shutdown, a time-out, an operator, a lack of members or of room, or too much to do stopped: it
     * may work next time. 134 is told to who listens, by a member that has just been started; 371 while writes of users are blocked,
     * as Atlas does while a disk is nearly full.
     */
    private static final Set<Integer> TEMPORARY = Set.of(
            6, 7, 24, 50, 64, 79, 89, 91, 100, 112, 134, 175, 189, 202, 215, 262, 290, 355, 365, 371, 402, 433, 449,
            462, 9001, 10_058, 10_107, 11_600, 11_601, 11_602, 13_435, 13_436);

    /** The labels by which a server says so itself. */
    private static final Set<String> PASSING = Set.of("RetryableWriteError", "RetryableError", "SystemOverloadedError");

    /** The code of all that Atlas refuses: a login, for instance, or what would write beyond a quota. */
    private static final int ATLAS = 8000;

    /** Its words for that: it says "not allowed" of a database, too, whose name may hold such a word. */
    private static final String FULL = "over your space quota";

    private final String place;
    private final String database;
    private final Settings settings;
    private final @Nullable MongoClient client;
    private final boolean connected;

    /** @param connected whether a server has answered: what is wrong with a certificate then may be over soon */
    Failures(String place, String database, Settings settings, @Nullable MongoClient client, boolean connected) {
        this.place = place;
        this.database = database;
        this.settings = settings;
        this.client = client;
        this.connected = connected;
    }

    /** Returns whether a server keeps no log of its changes, which a change stream is made of. */
    static boolean isWithoutChangeStreams(RuntimeException e) {
        return e instanceof MongoCommandException refused && refused.getErrorCode() == NO_CHANGE_STREAMS;
    }

    /** Returns the failure as users are told of it. */
    StoreException of(RuntimeException failure) {
        RuntimeException e = beneath(failure);
        if (e instanceof StoreException known) {
            return known;
        } else if (e instanceof MongoSecurityException || code(e) == AUTHENTICATION_FAILED) {
            return StoreException.unusable(place + " refuses the user or the password", e);
        } else if (code(e) == FORBIDDEN) {
            return StoreException.unusable(
                    place + " forbids what is needed: the user needs the role readWrite on the database " + database,
                    e);
        } else if (e instanceof MongoInterruptedException) {
            return StoreException.unreachable("interrupted before " + place + " answered", e);
        } else if (e instanceof IllegalStateException) {
            return StoreException.unusable("the client was closed", e);
        } else if (isUnconnected(e)) {
            Throwable distrust = distrust(e);
            if (distrust != null) {
                String reason = root(distrust);
                String what =
                        place + " " + TlsRefusal.outOfDate(reason).orElse("cannot be connected to by TLS: " + reason);
                return connected ? StoreException.unreachable(what, e) : StoreException.unusable(what, e);
            }
            String why = why(e);
            return StoreException.unreachable(
                    place + " has no primary that can be reached, or it does not answer within "
                            + settings.timeout().toMillis() + " ms" + (why.isEmpty() ? "" : ": " + why)
                            + "; is it running, and is the name of the replica set right?",
                    e);
        } else if (isTemporary(e)) {
            return StoreException.unreachable(place + " cannot do it now: " + said(e), e);
        } else if (e instanceof MongoConfigurationException) {
            return StoreException.unusable(place + " cannot be used as the URL says: " + said(e), e);
        }
        return StoreException.unusable(place + " fails: " + said(e), e);
    }

    /**
     * Returns what counts of a failure. To the driver all that happens during a login is the login's, also that the server
     * goes; and who waits for a connection while another thread's login is refused hears that there is none.
     */
    private static RuntimeException beneath(RuntimeException e) {
        if (e instanceof MongoSecurityException && e.getCause() instanceof MongoException cause) {
            return isUnconnected(cause) || isTemporary(cause) ? cause : e;
        }
        return e instanceof MongoConnectionPoolClearedException && e.getCause() instanceof MongoSecurityException login
                ? beneath(login)
                : e;
    }

    private static boolean isUnconnected(RuntimeException e) {
        return e instanceof MongoTimeoutException
                || e instanceof MongoSocketException
                || e instanceof MongoConnectionPoolClearedException
                || e instanceof MongoServerUnavailableException;
    }

    private static int code(RuntimeException e) {
        if (e instanceof MongoBulkWriteException bulk && !bulk.getWriteErrors().isEmpty()) {
            return bulk.getWriteErrors().get(0).getCode();
        }
        return e instanceof MongoException known ? known.getCode() : 0;
    }

    private static boolean isTemporary(RuntimeException e) {
        return e instanceof MongoNotPrimaryException
                || e instanceof MongoNodeIsRecoveringException
                || e instanceof MongoExecutionTimeoutException
                || (e instanceof MongoBulkWriteException bulk && bulk.getWriteConcernError() != null)
                || (e instanceof MongoException known && PASSING.stream().anyMatch(known::hasErrorLabel))
                || (code(e) == ATLAS && String.valueOf(e.getMessage()).contains(FULL))
                || TEMPORARY.contains(code(e));
    }

    /** Returns why a server cannot be reached. */
    private String why(RuntimeException e) {
        return met(e).stream()
                .filter(Objects::nonNull)
                .map(Failures::root)
                .findFirst()
                .orElse("");
    }

    /**
     * Returns what has failed, one for each server: the failure itself, which after a time-out is of none, and what the driver's
     * monitors of the others met; null of one that met nothing.
     */
    private List<@Nullable Throwable> met(RuntimeException e) {
        List<@Nullable Throwable> met = new ArrayList<>();
        if (!(e instanceof MongoTimeoutException) || client == null) {
            met.add(e);
        }
        if (client != null) {
            ServerAddress at = server(e);
            for (ServerDescription server : client.getClusterDescription().getServerDescriptions()) {
                if (!server.getAddress().equals(at)) {
                    met.add(server.getException());
                }
            }
        }
        return met;
    }

    /** Returns the server that a connection failed to; null if it is not known. */
    private static @Nullable ServerAddress server(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof MongoSocketException known) {
                return known.getServerAddress();
            }
        }
        return null;
    }

    /**
     * Returns what a side does not like of the other's certificate; null if it is not that, or if another server may be found
     * in order. A handshake that breaks off is something else: the server may be about to end.
     */
    private @Nullable Throwable distrust(RuntimeException e) {
        Throwable last = null;
        for (Throwable failure : met(e)) {
            last = failure == null ? null : distrustIn(failure);
            if (last == null) {
                return null;
            }
        }
        return last;
    }

    private static @Nullable Throwable distrustIn(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLPeerUnverifiedException
                    || (cause instanceof SSLHandshakeException && !(cause.getCause() instanceof IOException))) {
                return cause;
            }
        }
        return null;
    }

    private static String root(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    /** Returns the first line of a server's message; it names hosts, collections and users, and no passwords. */
    private static String said(RuntimeException e) {
        String message = e instanceof MongoCommandException refused
                ? refused.getErrorCode() + " " + refused.getErrorMessage()
                : String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end).strip();
    }
}
