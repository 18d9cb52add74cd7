package io.belay.mongodb;

import com.mongodb.ConnectionString;
import com.mongodb.MongoConfigurationException;
import com.mongodb.MongoException;
import io.belay.spi.StoreException;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The connection string of MongoDB's driver, in which parameters whose names begin with {@code belay-} are Belay's,
 * and are taken out before the driver sees it. Messages hold nothing of what the driver says about the string, as that
 * may be a password.
 *
 * @param driver the string that the driver is given
 * @param database the database of the locks
 */
record MongoUrl(ConnectionString driver, String database, Settings settings) {
    private static final String DATABASE = "belay";
    private static final Pattern KIND = Pattern.compile("mongodb(\\+srv)?://.+", Pattern.DOTALL);
    private static final Pattern OWN = Pattern.compile("([?&;])(?i:belay)-([^=&;]*)=([^&;]*)");

    /** Looks at a URL as far as that asks nobody, not even DNS. */
    static void check(String text) {
        if (!withScheme(text).startsWith("mongodb+srv:")) {
            var unused = parse(text);
        }
    }

    /** Returns the URL with its scheme in small letters. */
    private static String withScheme(String text) {
        int colon = Math.max(0, text.indexOf(':'));
        String url = text.substring(0, colon).toLowerCase(Locale.ROOT) + text.substring(colon);
        if (!KIND.matcher(url).matches()) {
            throw Settings.wrong("must be mongodb://HOST,... or mongodb+srv://NAME");
        }
        return url;
    }

    static MongoUrl parse(String text) {
        String url = withScheme(text);
        Settings settings = Settings.DEFAULT;
        Matcher own = OWN.matcher(url);
        StringBuilder rest = new StringBuilder();
        while (own.find()) {
            settings = settings.with(own.group(2).toLowerCase(Locale.ROOT), own.group(3));
            // The first parameter's question mark is needed by the next one.
            own.appendReplacement(rest, own.group(1).equals("?") ? "?" : "");
        }
        own.appendTail(rest);
        ConnectionString driver = driver(rest.toString().replaceFirst("\\?[&;]", "?"));
        return new MongoUrl(driver, Objects.requireNonNullElse(driver.getDatabase(), DATABASE), settings);
    }

    MongoUrl with(Settings other) {
        return new MongoUrl(driver, database, other);
    }

    MongoUrl withDatabase(String other) {
        return new MongoUrl(driver, other, settings);
    }

    private static ConnectionString driver(String url) {
        try {
            return new ConnectionString(url.endsWith("?") ? url.substring(0, url.length() - 1) : url);
        } catch (IllegalArgumentException e) {
            // Without the cause, which may quote a part of the password.
            throw Settings.wrong(
                    "is none that MongoDB's driver takes: it is mongodb://USER:PASSWORD@HOST:PORT,.../DATABASE"
                            + "?OPTIONS, with what is special in a user or password percent-encoded");
        } catch (MongoException e) {
            if (root(e) instanceof MongoConfigurationException) {
                throw Settings.wrong(
                        "stands for records in DNS that MongoDB's driver does not take: beside the servers there may"
                                + " be one TXT record, with authSource, replicaSet and loadBalanced alone");
            }
            throw StoreException.unreachable(
                    "the servers that the mongodb+srv: URL of the store stands for cannot be looked up in DNS", null);
        }
    }

    /** Returns the first cause. The driver calls all a failed look-up, also what DNS has answered and is not allowed. */
    private static Throwable root(Throwable e) {
        return e.getCause() == null ? e : root(e.getCause());
    }
}
