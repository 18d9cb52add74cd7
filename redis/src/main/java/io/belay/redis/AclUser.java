package io.belay.redis;

import java.util.ArrayList;
import java.util.List;

/**
 * The rights of a user, as ACL GETUSER tells them.
 *
 * @param open whether anybody may log in as this user, without a password
 * @param mighty whether this user may run every command
 * @param loud whether somebody may log in as this user who may publish on every channel
 */
record AclUser(boolean open, boolean mighty, boolean loud) {
    /** The user that a connection begins as. */
    static final String DEFAULT = "default";

    static final AclUser UNKNOWN = new AclUser(false, false, false);

    /** Reads a reply: names and values in turn, lists among them. Redis 6.2 words the rules otherwise. */
    static AclUser of(List<?> reply) {
        List<?> flags = List.of();
        String commands = "";
        String channels = "";
        for (int i = 0; i + 1 < reply.size(); i += 2) {
            if ("flags".equals(reply.get(i)) && reply.get(i + 1) instanceof List<?> list) {
                flags = new ArrayList<>(list);
            } else if ("commands".equals(reply.get(i))) {
                commands = String.valueOf(reply.get(i + 1));
            } else if ("channels".equals(reply.get(i))) {
                channels = String.valueOf(reply.get(i + 1));
            }
        }
        boolean on = flags.contains("on");
        return new AclUser(
                on && flags.contains("nopass"),
                commands.startsWith("+@all"),
                on && (channels.equals("&*") || flags.contains("allchannels")));
    }
}
