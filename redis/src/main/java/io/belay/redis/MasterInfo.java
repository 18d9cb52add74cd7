package io.belay.redis;

import io.lettuce.core.RedisCommandExecutionException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a sentinel that was asked for a master.
 *
 * @param address where it is
 * @param epoch how many times another became the master; the sentinel that says more is the better informed one
 * @param fields all that SENTINEL MASTER tells
 */
record MasterInfo(Address address, long epoch, Map<String, String> fields) {
    /** Reads an answer; null if it names no address. */
    static @Nullable MasterInfo of(Map<String, String> fields) {
        Address address = Address.of(fields.getOrDefault("ip", ""), fields.getOrDefault("port", ""));
        return address == null ? null : new MasterInfo(address, number(fields, "config-epoch"), Map.copyOf(fields));
    }

    /** Returns whether a sentinel said that it knows no master of that name. */
    static boolean isUnknown(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof RedisCommandExecutionException
                    && String.valueOf(e.getMessage()).contains("No such master")) {
                return true;
            }
        }
        return false;
    }

    long number(String field) {
        return number(fields, field);
    }

    private static long number(Map<String, String> fields, String field) {
        String value = fields.getOrDefault(field, "");
        return value.matches("\\d{1,18}") ? Long.parseLong(value) : 0;
    }
}
