package io.belay.quorum;

import io.belay.spi.StoreException;
import io.belay.support.UrlDuration;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The parts of {@code quorum:URL,URL,URL#longest-lease=60s&member-timeout=200ms}. Messages name a member by its place
 * and never hold its URL, in which there may be a password.
 *
 * @param members the members' URLs
 * @param longestLease the longest lease that anybody may have, and for how long a member that forgot gives no vote
 * @param memberTimeout for how long a member that is silent is waited for where it matters
 */
record QuorumUrl(List<String> members, Duration longestLease, Duration memberTimeout) {
    static final String SCHEME = "quorum";

    /** A comma before another URL. Other commas may stand in a member's own, which may name HOST:PORT,HOST:PORT. */
    private static final Pattern NEXT = Pattern.compile(",(?=[a-z][a-z0-9+.-]*:(?!\\d{1,5}(?:[,/?#]|$)))");

    /** The hosts of a URL; a text that is no URL, or a part of a password with a comma, does not look like that. */
    private static final Pattern HOSTS = Pattern.compile("((\\[[0-9a-fA-F:.%]+]|[\\w.-]+)(:\\d{1,5})?(,(?!$)|$))+");

    private static final Duration LONGEST = Duration.ofHours(24);

    /**
     * Directories of one host go down together; and a member is one server, with one memory of what is held. A server that
     * sentinels make a replica and then the master again is the same run, and has forgotten what its replica did.
     */
    private static final Pattern NO_MEMBERS = Pattern.compile("file|" + SCHEME + "|.*-(cluster|sentinel)");

    /** The kinds that do not tell one start of a server from the next, or take no number that a quorum proposes. */
    private static final Pattern NO_VOTERS = Pattern.compile("etcds?|zookeepers?|jdbc|mongodb(\\+srv)?");

    static QuorumUrl parse(String url) {
        String rest = url.substring(url.indexOf(':') + 1);
        // A password may hold any character, so options stand behind the last @.
        int options = rest.indexOf('#', rest.lastIndexOf('@') + 1);
        Map<String, Duration> given = options < 0 ? Map.of() : options(rest.substring(options + 1));
        List<String> members = List.of(NEXT.split(options < 0 ? rest : rest.substring(0, options), -1));
        for (int i = 0; i < members.size(); i++) {
            String member = members.get(i);
            if (member.indexOf(':') < 1) {
                throw wrong("has no URL as its member " + (i + 1)
                        + ": write quorum:redis://HOST,redis://HOST,redis://HOST");
            } else if (NO_MEMBERS.matcher(scheme(member)).matches()) {
                throw wrong("has the member " + (i + 1) + " of the kind " + scheme(member)
                        + ":, which is not one server by itself: name independent servers");
            } else if (NO_VOTERS.matcher(scheme(member)).matches()) {
                throw wrong("has the member " + (i + 1) + " of the kind " + scheme(member)
                        + ":, which cannot vote: name servers of Redis");
            } else if (isLocal(member) && !members.stream().allMatch(QuorumUrl::isLocal)) {
                throw wrong("has the member " + (i + 1) + " of the kind memory:, which each process has for itself:"
                        + " name servers of Redis, or for tests memory: alone");
            }
        }
        if (new HashSet<>(members).size() < members.size()) {
            throw wrong("names a member twice, whose vote would count twice: name each server once");
        }
        return new QuorumUrl(
                members,
                given.getOrDefault("longest-lease", Duration.ofSeconds(60)),
                given.getOrDefault("member-timeout", Duration.ofMillis(200)));
    }

    private static Map<String, Duration> options(String text) {
        Map<String, Duration> result = new LinkedHashMap<>();
        for (String part : text.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = part.substring(0, Math.max(0, equals));
            if (!name.equals("longest-lease") && !name.equals("member-timeout")) {
                throw wrong("has an unknown option behind the #; known are longest-lease and member-timeout");
            }
            Duration value = UrlDuration.parse(part.substring(equals + 1))
                    .orElseThrow(() -> wrong("has a " + name + " that is not written like 500ms, 60s or 2m"));
            if (result.put(name, checked(name, value)) != null) {
                throw wrong("has the option " + name + " twice");
            }
        }
        return result;
    }

    private static Duration checked(String name, Duration duration) {
        Duration least = name.equals("longest-lease") ? Duration.ofSeconds(1) : Duration.ofMillis(1);
        if (duration.compareTo(least) < 0 || duration.compareTo(LONGEST) > 0) {
            throw wrong("has a " + name + " that is not from " + least.toMillis() + " ms to 24 hours");
        }
        return duration;
    }

    private static boolean isLocal(String member) {
        return scheme(member).equals("memory");
    }

    static String scheme(String member) {
        return member.substring(0, member.indexOf(':')).toLowerCase(Locale.ROOT);
    }

    /** Returns how messages name a member, by its place from 1: by its host as well, where it has one. */
    String label(int number) {
        String member = members.get(number - 1);
        String rest = member.substring(member.indexOf(':') + 1);
        String label = "member " + number + " of " + members.size();
        if (!rest.startsWith("//")) {
            return label;
        }
        String address = rest.substring(Math.max(2, rest.lastIndexOf('@') + 1)).split("[/?#]", 2)[0];
        return HOSTS.matcher(address).matches() ? label + " (" + scheme(member) + "://" + address + ")" : label;
    }

    /** Makes the exception for a member of a kind for which no store is there. */
    StoreException unknown(int number) {
        String member = members.get(number - 1);
        String scheme = scheme(member);
        return wrong("has " + label(number)
                + (member.startsWith("://", scheme.length())
                        ? ", which has the unknown scheme '" + scheme
                                + ":' (stores need their artifact on the class path, belay-redis for example)"
                        : ", which is not the URL of a store that is known (a comma in a password is written %2C)"));
    }

    private static StoreException wrong(String what) {
        return StoreException.unusable("The URL quorum: " + what, null);
    }
}
