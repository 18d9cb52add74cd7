package io.belay.cli.text;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A reader of locks' names. It refuses letters beyond ASCII that are not read as UTF-8: each byte would be a letter of its own, so that
 * the name would be another one than elsewhere; or Java makes the same character of each, and several names would be one.
 */
public final class LockNameConverter implements ITypeConverter<String> {
    private static final char UNKNOWN = '\ufffd';

    @Override
    public String convert(String name) {
        String ascii = name.replaceAll("[^\\x00-\\x7f]", "?");
        boolean isUtf8 = "UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding"));
        if (name.indexOf(UNKNOWN) >= 0 || !isUtf8 && !ascii.equals(name)) {
            throw new TypeConversionException(
                    "'" + ascii + "' has letters that this locale does not read as UTF-8: set LC_ALL=C.UTF-8");
        }
        return name;
    }
}
