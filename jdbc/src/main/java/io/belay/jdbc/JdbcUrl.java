package io.belay.jdbc;

import io.belay.spi.StoreException;
import io.belay.spi.UrlVariables;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A database's own URL, in which parameters whose names begin with {@code belay-} are Belay's, and are taken out before a
 * driver sees it. Messages name the part that is wrong, never the whole, which may hold a password.
 *
 * @param driver what the driver is given
 * @param place where that is, in words that hold no secret
 */
record JdbcUrl(String driver, Dialect dialect, String place, Settings settings) {
    private static final Pattern KIND = Pattern.compile("jdbc:([a-z0-9]+):.*", Pattern.DOTALL);
    private static final Pattern OWN = Pattern.compile("([?&;])belay-([^=&;]*)=?([^&;]*)");
    private static final String HOST = "(?:[\\w.-]+|\\[[\\w.:%]+])(?::\\d+)?";
    /** Strict, since what stands beside the hosts may be a password. */
    private static final Pattern HOSTS = Pattern.compile(
            "jdbc:[a-z0-9:]+//(?:[^?;]*@)?(" + HOST + "(?:," + HOST + ")*)(?:[/?;].*)?", Pattern.DOTALL);

    static JdbcUrl parse(String text) {
        String url;
        try {
            url = UrlVariables.expand(text);
        } catch (IllegalArgumentException e) {
            throw StoreException.unusable(String.valueOf(e.getMessage()), null);
        }
        Matcher kind = KIND.matcher(url);
        Dialect dialect = kind.matches() ? Dialect.ofUrl(kind.group(1)) : null;
        if (dialect == null) {
            throw Settings.wrong(
                    "names no database that Belay knows: jdbc: is followed by postgresql:, mysql:, mariadb:, h2: or sqlite:");
        }
        Settings settings = Settings.DEFAULT;
        Matcher own = OWN.matcher(url);
        StringBuilder driver = new StringBuilder();
        while (own.find()) {
            settings = settings.with(own.group(2), own.group(3));
            // The first parameter's question mark is needed by the next one.
            own.appendReplacement(driver, own.group(1).equals("?") ? "?" : "");
        }
        own.appendTail(driver);
        String rest = driver.toString().replace("?&", "?");
        String plain = rest.endsWith("?") ? rest.substring(0, rest.length() - 1) : rest;
        Matcher hosts = HOSTS.matcher(plain);
        String place = dialect.title() + (hosts.matches() ? " at " + hosts.group(1) : "");
        return new JdbcUrl(plain, dialect, place, settings);
    }
}
