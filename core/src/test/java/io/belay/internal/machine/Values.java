package io.belay.internal.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers for values, each of which is kept once: equal ones have the same (Holzmann's collapse compression). */
final class Values {
    private final Map<Object, Integer> numbers = new HashMap<>();
    private final List<Object> all = new ArrayList<>();

    int number(Object value) {
        Integer known = numbers.get(value);
        if (known != null) {
            return known;
        }
        all.add(value);
        numbers.put(value, all.size() - 1);
        return all.size() - 1;
    }

    Object get(int number) {
        return all.get(number);
    }
}
