package io.belay.redis;

import java.util.ArrayList;
import java.util.List;

/**
 * What a user may do, as ACL GETUSER tells it.
 *
 * @param open whether anybody may log in as this user, without a password
 * @param mighty whether this user may run every command
 */
record AclUser(boolean open, boolean mighty) {
    /** As whom a connection begins. */
    static final String DEFAULT = "default";

    static final AclUser UNKNOWN = new AclUser(false, false);

    /** Reads names and values, one after the other; lists among them, and in 6.2 the rules are worded otherwise. */
    static AclUser of(List<?> reply) {
        List<?> flags = List.of();
        String commands = "";
        for (int i = 0; i + 1 < reply.size(); i += 2) {
            if ("flags".equals(reply.get(i)) && reply.get(i + 1) instanceof List<?> list) {
                flags = new ArrayList<>(list);
            } else if ("commands".equals(reply.get(i))) {
                commands = String.valueOf(reply.get(i + 1));
            }
        }
        return new AclUser(flags.contains("on") && flags.contains("nopass"), commands.startsWith("+@all"));
    }
}
