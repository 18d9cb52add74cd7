package io.belay.jdbc;

import java.util.Collections;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement that takes any number of rows: what stands between {@code /*each SEPARATOR*}{@code /} and the end is
 * repeated.
 */
final class Template {
    private static final Pattern EACH = Pattern.compile("/\\*each (.+?)\\*/(.+?)/\\*end\\*/", Pattern.DOTALL);

    private final String before;
    private final String separator;
    private final String row;
    private final String after;
    private final ConcurrentHashMap<Integer, String> texts = new ConcurrentHashMap<>();

    Template(String sql) {
        Matcher each = EACH.matcher(sql);
        if (!each.find()) {
            throw new IllegalArgumentException(sql);
        }
        before = sql.substring(0, each.start());
        separator = " " + each.group(1) + " ";
        row = each.group(2);
        after = sql.substring(each.end());
    }

    /** Returns the statement for so many rows. */
    String of(int rows) {
        return texts.computeIfAbsent(
                rows, count -> before + String.join(separator, Collections.nCopies(count, row)) + after);
    }
}
