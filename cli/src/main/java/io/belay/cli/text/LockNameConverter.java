package io.belay.cli.text;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A reader of locks' names. It refuses bytes that the locale does not know: Java makes the same character of each, so that the name
 * would be another one than elsewhere, and several names one.
 */
public final class LockNameConverter implements ITypeConverter<String> {
    private static final char UNKNOWN = '\ufffd';

    @Override
    public String convert(String name) {
        if (name.indexOf(UNKNOWN) >= 0) {
            throw new TypeConversionException("'" + name.replace(UNKNOWN, '?')
                    + "' has bytes that this locale does not know: set LC_ALL=C.UTF-8");
        }
        return name;
    }
}
