package io.belay.redis;

import io.belay.spi.StoreException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The meanings of the errors that a server replies, and what to do about them. */
final class Replies {
    static final String OTHER = "answers in another way than Redis: check host and port";
    static final String CLUSTER = "is a node of a cluster, whose keys move to other nodes: write redis-cluster://";
    static final String MOVED = "has just given a slot to another node of the cluster";
    static final String NO_CLUSTER = "is no node of a cluster: write redis://";
    static final String SENTINEL = "is a sentinel: write redis-sentinel://HOST:PORT?master=NAME";
    static final String DEMOTED = "is a replica now: the sentinels do not say yet who took over";
    static final String REPLICA = "is a replica, which cannot be written to: name its master";

    /** The word with which a server in protected mode turns others away, before it is asked for anything. */
    static final String DENIED = "DENIED";

    private static final String INVALID_PASSWORD = "invalid password";

    /** How an error names the command that a user may not run. */
    private static final Pattern COMMAND = Pattern.compile("the '([\\w|-]{1,40})' command");

    /** The text that 6.2 puts before an error inside a script, and 7.0 behind it. */
    private static final Pattern SIX = Pattern.compile(
            "^ERR Error running script \\(call to \\w+\\): @user_script:\\d+: (@user_script: \\d+: )?-?");

    private static final Pattern SEVEN = Pattern.compile(" script: \\w+, on @user_script:\\d+\\.$");

    /** The text that 6.2 puts before an error that a script catches. */
    private static final Pattern CAUGHT = Pattern.compile("^@user_script: \\d+: -?");

    /** How a script is told of a right that its user lacks: up to 7.0, and from 7.2 on. */
    private static final Pattern DENIED_IN_SCRIPT =
            Pattern.compile("The user executing the script|ACL failure in script");

    /** What is said where there are no scripts at all. A server that renamed one of the two has the other. */
    private static final Pattern NO_SCRIPTS =
            Pattern.compile("^ERR unknown command .?EVAL\\b", Pattern.CASE_INSENSITIVE);

    private static final Pattern NO_WAIT = Pattern.compile("^ERR unknown command .?WAIT\\b", Pattern.CASE_INSENSITIVE);

    private final Settings settings;

    Replies(Settings settings) {
        this.settings = settings;
    }

    /** Returns whether the server is a master no more. Inside a script the word does not come first. */
    static boolean isReadOnly(String reply) {
        return reply.contains("READONLY ") || reply.contains("MASTERDOWN ");
    }

    /** Returns whether the server did not accept the user or the password, or missed them. */
    static boolean isLoginRefused(String reply) {
        return reply.startsWith("WRONGPASS") || reply.startsWith("NOAUTH") || reply.contains(INVALID_PASSWORD);
    }

    /**
     * Returns an error as an exception.
     *
     * @param reply the error as the server said it
     * @param resource the resource that the command was about; null if none
     */
    StoreException explain(String reply, @Nullable String resource) {
        Matcher six = SIX.matcher(reply);
        Matcher seven = SEVEN.matcher(reply);
        boolean inScript = six.find() || seven.find();
        return explain(SEVEN.matcher(SIX.matcher(reply).replaceFirst("")).replaceFirst(""), inScript, resource);
    }

    /** Does the same for an error that a script has caught. */
    StoreException explainKey(String error, String resource) {
        return explain(CAUGHT.matcher(error.strip()).replaceFirst(""), true, resource);
    }

    /** Does the same for an error in reply to what only a listing of names asks. */
    StoreException explainListing(String error) {
        return error.startsWith("NOPERM ")
                ? unusable(
                        "denies its user the right to list names, which locks do not need: grant it by ACL SETUSER NAME "
                                + settings.listingCommands() + " (" + error + ")")
                : explain(error, false, null);
    }

    private StoreException explain(String error, boolean inScript, @Nullable String resource) {
        String key = resource == null ? "a key" : "the key '" + settings.prefix() + resource + "'";
        switch (error.split(" ", 2)[0]) {
            case "WRONGPASS":
                return unusable("refused the user or password: check both, and that the user is on (it is default where"
                        + " none is named); in a URL a % of theirs is written %25");
            case "NOAUTH":
                return unusable("asks for a password, or its user default is off: write " + whereLoginsStand());
            case DENIED:
                return unusable(
                        "lets in nobody from another machine, as it is in protected mode and has no password: set one"
                                + " (requirepass), and write it into the URL");
            case "NOPERM":
                return settings.isSentinel() ? sentinelRights(error) : rights(error);
            case "WRONGTYPE", "BELAYRECORD":
                return foreign("what Belay has not written", key);
            case "BELAYVERSION":
                return unusable("has " + key + " in the layout of another version of Belay, or of another program:"
                        + " run one version of Belay, or give these locks another prefix");
            case "BELAYREPLY":
                return unusable(OTHER);
            case "CLUSTERDOWN":
                return unreachable("is of a cluster that lacks a master for some slots: wait, or see CLUSTER INFO"
                        + " (with cluster-require-full-coverage no the others go on)");
            case "MOVED", "ASK":
                return settings.cluster() ? unreachable(MOVED) : unusable(CLUSTER);
            case "CROSSSLOT":
                return unusable(CLUSTER);
            case "NOREPLICAS":
                return unreachable(
                        "has fewer replicas than its min-replicas-to-write asks for: bring them back, or lower that");
            case "MISCONF":
                return unreachable("refuses all that writes, as its last snapshot or its append-only file could not be"
                        + " written: see its log, or set stop-writes-on-bgsave-error no where locks matter more than"
                        + " snapshots");
            case "OOM":
                return unreachable("has no memory left: raise its maxmemory, or free some");
            case "BUSY":
                return unreachable(
                        "is kept busy by a script of somebody's, and answers nobody meanwhile: end that by SCRIPT"
                                + " KILL or FUNCTION KILL, or wait");
            case "LOADING":
                return unreachable("is reading its data from disk, as after a start: wait until it has");
            case "READONLY", "MASTERDOWN":
                return unreachable(REPLICA);
            default:
                return inScript ? inScript(error, key) : other(error);
        }
    }

    /** Returns what to write of a password, and of a user where it is not the default one, which may be off. */
    private String whereLoginsStand() {
        if (settings.isSentinel()) {
            return "&sentinel-password=${NAME} into the URL, and &sentinel-user= for another user";
        }
        return settings.socket().isEmpty()
                ? ":PASSWORD@ before the host into the URL, or USER:PASSWORD@ for another user"
                : "?password= into the URL, and &user= for another user";
    }

    private StoreException inScript(String error, String key) {
        if (DENIED_IN_SCRIPT.matcher(error).find()) {
            return rights(error.startsWith("ERR ") ? error.substring("ERR ".length()) : error);
        } else if (error.contains("Unknown Redis command")) {
            return unusable("lacks a command that Belay's scripts call: has it been renamed?");
        } else if (error.contains("Script killed by user")) {
            return other(error); // before it has written anything, so it says nothing of the record
        } else if (error.startsWith("ERR ") || error.startsWith("user_script")) {
            return foreign("a damaged record", key);
        }
        return other(error);
    }

    private StoreException foreign(String what, String key) {
        return unusable("holds " + what + " under " + key + ": remove that, or give locks another prefix");
    }

    private StoreException other(String error) {
        if (error.contains("without any password configured") || error.contains("no password is set")) {
            return unusable("has no password for its default user: leave it out, or name the user whose it is");
        } else if (error.contains(INVALID_PASSWORD)) {
            return unusable("refused the password: check it; in a URL a % of it is written %25");
        } else if (error.contains("DB index is out of range")) {
            return unusable("has no database " + settings.database() + ": see 'databases' in its configuration");
        } else if (error.contains("cluster support disabled")) {
            return unusable(NO_CLUSTER);
        } else if (error.startsWith("ERR max number of clients")) {
            return unreachable("has as many connections as its maxclients allows: raise that, or close some");
        } else if (settings.isSentinel() && error.startsWith("ERR unknown command")) {
            return unusable("is no sentinel: write redis:// if it is the server itself");
        } else if (NO_SCRIPTS.matcher(error).find()) {
            return unusable(
                    "has no EVAL, and a lock is kept by scripts: use a server that runs them, see redis-providers.md");
        } else if (NO_WAIT.matcher(error).find()) {
            return unusable("has no WAIT, so replicas cannot be asked: leave 'replicas' out of the URL");
        } else if (error.startsWith("ERR unknown command")) {
            // The rest would repeat the arguments, a password among them.
            return unusable("lacks a command that Belay needs, " + error.split("[,(]", 2)[0].substring("ERR ".length())
                    + ": has it been renamed?");
        }
        return unreachable("cannot do that now: " + error);
    }

    private StoreException rights(String error) {
        return unusable("denies its user a right that locks need: grant it by ACL SETUSER NAME " + missingRight(error)
                + " (" + error + ")");
    }

    /** Returns the right that is missing, or those to all commands where the server does not say which. */
    String missingRight(String error) {
        Matcher named = COMMAND.matcher(error);
        if (named.find()) {
            return "+" + named.group(1).toLowerCase(Locale.ROOT);
        } else if (error.contains("channel")) {
            return settings.channelRight();
        }
        return error.contains(" key") ? settings.keyRight() : settings.commands();
    }

    private StoreException sentinelRights(String error) {
        return unusable(
                "denies its user a right: grant it by ACL SETUSER NAME " + Sentinels.RIGHTS + " (" + error + ")");
    }

    private StoreException unusable(String what) {
        return StoreException.unusable(settings.line(what), null);
    }

    private StoreException unreachable(String what) {
        return StoreException.unreachable(settings.line(what), null);
    }
}
