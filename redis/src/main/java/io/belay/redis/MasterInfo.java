package io.belay.redis;

import io.lettuce.core.RedisCommandExecutionException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a sentinel that was asked for a master.
 *
 * @param address where it is
 * @param epoch how many times another became the master; the sentinel that says more is the better informed one
 * @param fields all that SENTINEL MASTER tells
 */
record MasterInfo(Address address, long epoch, Map<String, String> fields) {
    /** The states of a fail-over from the one on in which the epoch is the new one, to the last. */
    private static final Set<String> CHANGING = Set.of("reconf_slaves", "update_config");

    /**
     * Reads the answers; null if they name no address.
     *
     * @param fields the answer to SENTINEL MASTER
     * @param told the answer to SENTINEL GET-MASTER-ADDR-BY-NAME, host and port; empty where that is not allowed
     */
    static @Nullable MasterInfo of(Map<String, String> fields, List<String> told) {
        Address address = told.size() == 2
                ? Address.of(told.get(0), told.get(1))
                : Address.of(fields.getOrDefault("ip", ""), fields.getOrDefault("port", ""));
        return address == null ? null : new MasterInfo(address, number(fields, "config-epoch"), Map.copyOf(fields));
    }

    /** Returns whether the address in an answer to SENTINEL MASTER may still be the former one, beside the new epoch. */
    static boolean isChanging(Map<String, String> fields) {
        return CHANGING.contains(fields.getOrDefault("failover-state", ""));
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
