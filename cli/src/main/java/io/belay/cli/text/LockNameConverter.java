package io.belay.cli.text;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A reader of locks' names. It refuses letters beyond ASCII that are not read as UTF-8: each byte would be a letter of its own, so that
 * the name would be another one than elsewhere; or Java makes the same character of each, and several names would be one.
 */
public final class LockNameConverter implements ITypeConverter<String> {
    /** The end of the line about a text that the locale has read otherwise. */
    static final String UNREAD = " has letters that this locale does not read as UTF-8: set LC_ALL=C.UTF-8";

    private static final char UNKNOWN = '\ufffd';

    @Override
    public String convert(String name) {
        if (!isRead(name)) {
            throw new TypeConversionException("'" + ascii(name) + "'" + UNREAD);
        }
        return name;
    }

    /** Returns whether an argument or a variable is the same text in each locale. */
    static boolean isRead(String text) {
        boolean isUtf8 = "UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding"));
        return text.indexOf(UNKNOWN) < 0 && (isUtf8 || ascii(text).equals(text));
    }

    /** Returns a text with a question mark in the place of each letter beyond ASCII. */
    static String ascii(String text) {
        return text.replaceAll("[^\\x00-\\x7f]", "?");
    }
}
