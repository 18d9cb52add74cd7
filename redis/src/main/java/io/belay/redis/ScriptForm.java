package io.belay.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A form of the scripts, which say the same in each. Servers and those who rent them out differ in what they let a script say; which form
 * one takes is tried when it is connected, and not read from a version.
 *
 * @param flags whether scripts begin with {@code #!lua}, by which the server lets through, when its memory is full, what takes none
 * @param publishing how clients are told
 */
record ScriptForm(boolean flags, Publishing publishing) {
    /** The first words of errors that no other form of a script would spare. */
    private static final Pattern OTHER_TROUBLE = Pattern.compile(
            "^(-?(NO[A-Z]+|WRONG[A-Z]+|OOM|READONLY|MOVED|ASK|CROSSSLOT|CLUSTERDOWN|LOADING|MISCONF|TRYAGAIN|BUSY|MASTERDOWN) )"
                    + "|NOPERM|READONLY|OOM |The user executing|ACL failure in script|unknown command .?EVAL|-NO[A-Z]+ |BELAYREPLY",
            Pattern.CASE_INSENSITIVE);

    /**
     * The errors that say that a script names its keys in another way than as KEYS[1], may have one key only, or that the
     * user has no right to one of them.
     */
    private static final Pattern OF_KEYS = Pattern.compile("KEYS array|CROSSSLOT|same slot|undeclared key|^NOPERM ");

    /** Returns the forms to try on a server, one after the other. */
    static List<ScriptForm> of(ServerInfo server) {
        List<ScriptForm> forms = new ArrayList<>();
        for (Publishing publishing : List.of(Publishing.of(server), Publishing.OUTSIDE)) {
            if (server.isAtLeast(7, 0)) {
                forms.add(new ScriptForm(true, publishing));
            }
            forms.add(new ScriptForm(false, publishing));
        }
        return forms;
    }

    /** Returns whether a server that replied so to a script may take it in another form. */
    static boolean isRefusal(String error) {
        return !OTHER_TROUBLE.matcher(error).find();
    }

    /** Returns whether a server that replied so has run nothing of a script of several keys, and would run it for each alone. */
    static boolean isOfKeys(String error) {
        return OF_KEYS.matcher(error).find();
    }
}
