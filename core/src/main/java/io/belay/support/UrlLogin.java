package io.belay.support;

import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The user and password in a URL. */
public final class UrlLogin {
    private static final String HOST = "(?:[\\p{L}\\p{M}\\p{N}._-]{1,255}+|\\[[0-9a-fA-F:.]{1,45}])(?::\\d{1,5})?";

    /** Hosts of a URL, each perhaps with a port. */
    static final String HOSTS = HOST + "(?:," + HOST + ")*+";

    private UrlLogin() {}

    /**
     * Returns where the @ behind user and password is; -1 if there are none. A password may hold any character, so it is the
     * last one; but where hosts and a known parameter have been named before that, it belongs to the parameter. So it does to
     * one that is called like a password: its tail would be taken for a host, and be shown and looked up as one.
     *
     * @param text the URL from its user or host on
     * @param parameters those that the URL may have
     */
    public static int end(String text, Set<String> parameters) {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(parameters, "parameters");
        Matcher hosts = Pattern.compile("(?:^|@)" + HOSTS + "(?:/[^?@]*)?\\?(?:(?:" + String.join("|", parameters)
                        + ")|(?:[^?@]*&)?(?i:" + UrlPasswords.NAMES + "))=")
                .matcher(text);
        if (!hosts.find()) {
            return text.lastIndexOf('@');
        }
        return text.charAt(hosts.start()) == '@' ? hosts.start() : -1;
    }
}
