package io.belay.zookeeper;

import io.belay.spi.StoreException;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** The messages to users when ZooKeeper fails. */
final class Failures {
    private final Settings settings;
    private final Logins logins;

    Failures(Settings settings, Logins logins) {
        this.settings = settings;
        this.logins = logins;
    }

    /** Returns whether an error is one of ZooKeeper's with one of these codes. */
    static boolean is(@Nullable Throwable error, Code... codes) {
        if (unwrap(error) instanceof KeeperException e) {
            for (Code code : codes) {
                if (e.code() == code) {
                    return true;
                }
            }
        }
        return false;
    }

    static @Nullable Throwable unwrap(@Nullable Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }

    StoreException explain(Throwable error) {
        Throwable e = unwrap(error);
        if (e instanceof StoreException known) {
            return known;
        } else if (e instanceof VirtualMachineError) { // as for want of memory or depth, where the next try may do
            return StoreException.unreachable(settings.line("failed: " + e), e);
        } else if (!(e instanceof KeeperException failed)) {
            return StoreException.unusable(settings.line("failed: " + e), e);
        } else {
            return explain(failed);
        }
    }

    private StoreException explain(KeeperException e) {
        if (logins.haveWorked() && is(e, Code.AUTHFAILED, Code.SESSIONCLOSEDREQUIRESASLAUTH)) {
            return unreachable(
                    "did not accept this client's login by SASL, which has worked before; it is tried again");
        }
        String path = e.getPath() == null ? settings.root() : e.getPath();
        return switch (e.code()) {
            case CONNECTIONLOSS, OPERATIONTIMEOUT, REQUESTTIMEOUT ->
                unreachable("cannot be reached: the connection was lost before it answered");
            case SESSIONEXPIRED, SESSIONMOVED -> unreachable("has ended this client's session; it makes a new one");
            case NOTREADONLY -> unreachable("has lost its quorum and only allows to read");
            case THROTTLEDOP -> unreachable("has too much to do and refuses requests");
            case NOAUTH -> // to make or delete a node is a right on the one above it, and the path that of what was
                // asked for
                unusable("allows this client too little in " + path.substring(0, Math.max(1, path.lastIndexOf('/')))
                        + " or at " + path
                        + ": grant it create, read and delete there, or connect as another user, USER:PASSWORD@"
                        + " in the URL");
            case INVALIDACL ->
                unusable("does not know who this client is, so the nodes cannot be its creator's alone:"
                        + " write USER:PASSWORD@ into the URL, or acl=open");
            case SESSIONCLOSEDREQUIRESASLAUTH ->
                unusable("asks this client to log in by SASL: name a file with a section Client by"
                        + " -Djava.security.auth.login.config");
            case AUTHFAILED ->
                unusable("did not accept this client's credentials: check the user and the password in"
                        + " the URL, or the login configuration of this JVM for SASL");
            case QUOTAEXCEEDED -> unreachable("has a quota at " + path + " that is used up: raise it by setquota");
            case UNIMPLEMENTED -> unusable("is older than 3.6, the first version that Belay can use");
            default -> unusable("failed at " + path + ": " + (e.getCause() == null ? e.code() : e.getCause()));
        };
    }

    StoreException unreachable(String what) {
        return StoreException.unreachable(settings.line(what), null);
    }

    StoreException unusable(String what) {
        return StoreException.unusable(settings.line(what), null);
    }
}
