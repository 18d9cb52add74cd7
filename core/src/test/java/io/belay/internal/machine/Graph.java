package io.belay.internal.machine;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Copies a client with all that hangs on it, and makes a key of 128 bits of it, which tells apart what behaves differently. */
final class Graph {
    /** A key. */
    record Key(long high, long low) {}

    private final Values values;
    private final Map<Object, Object> seen = new IdentityHashMap<>();
    private final List<Runnable> later = new ArrayList<>();
    private long high;
    private long low;

    Graph(Values values) {
        this.values = values;
    }

    private static boolean isShared(Object o) {
        return o instanceof Record
                || o instanceof Enum
                || o instanceof String
                || o instanceof Number
                || o instanceof Terms
                || o instanceof Asks;
    }

    <T> T copy(T root) {
        seen.clear();
        try {
            @SuppressWarnings("unchecked")
            T copy = (T) copied(root);
            later.forEach(Runnable::run);
            later.clear();
            return copy;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private @Nullable Object copied(@Nullable Object from) throws ReflectiveOperationException {
        if (from == null || isShared(from)) {
            return from;
        }
        Object known = seen.get(from);
        if (known != null) {
            return known;
        }
        if (from instanceof TreeSet<?> set) {
            return sorted(set);
        }
        if (from instanceof Collection<?> all) {
            // A set of these is one of objects that are equal to themselves alone, so that it may be filled at once.
            Collection<@Nullable Object> to = all instanceof Set ? new LinkedHashSet<>() : new ArrayList<>(all.size());
            for (Object element : all) {
                to.add(copied(element));
            }
            return to;
        }
        Shape shape = Shape.of(from.getClass());
        Object to = shape.make();
        seen.put(from, to);
        shape.copyPlain(from, to);
        for (Field field : shape.references) {
            Object value = field.get(from);
            if (value != null) {
                field.set(to, copied(value));
            }
        }
        return to;
    }

    /** Copies a set whose order is by what its elements contain: it is filled when they are complete. */
    @SuppressWarnings("unchecked")
    private Object sorted(TreeSet<?> from) throws ReflectiveOperationException {
        TreeSet<Object> to = new TreeSet<>((java.util.Comparator<Object>) from.comparator());
        List<Object> elements = new ArrayList<>(from.size());
        for (Object element : from) {
            elements.add(copied(element));
        }
        later.add(() -> to.addAll(elements));
        return to;
    }

    Key key(Object root) {
        seen.clear();
        high = 0x243F6A8885A308D3L;
        low = 0x13198A2E03707344L;
        try {
            add(root);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return new Key(high, low);
    }

    private void mix(long x) {
        high = (high ^ x) * 0x9E3779B97F4A7C15L;
        high ^= high >>> 29;
        low = Long.rotateLeft(low + x, 31) * 0xC2B2AE3D27D4EB4FL;
        low ^= low >>> 33;
    }

    private void add(@Nullable Object o) throws IllegalAccessException {
        if (o == null) {
            mix(-1);
        } else if (isShared(o)) {
            mix(values.number(o));
        } else if (o instanceof Collection<?> all) {
            mix(-2 - all.size());
            for (Object element : all) {
                add(element);
            }
        } else {
            addNode(o);
        }
    }

    private void addNode(Object o) throws IllegalAccessException {
        Object known = seen.get(o);
        if (known != null) {
            mix(1L << 40 | (Integer) known);
            return;
        }
        seen.put(o, seen.size());
        Shape shape = Shape.of(o.getClass());
        mix(2L << 40);
        for (int i = 0; i < shape.meaningful[0]; i++) {
            mix(shape.numbers[i].getInt(o));
        }
        for (int i = 0; i < shape.meaningful[1]; i++) {
            mix(shape.flags[i].getBoolean(o) ? 5 : 3);
        }
        for (int i = 0; i < shape.meaningful[2]; i++) {
            mix(shape.longs[i].getLong(o));
        }
        for (int i = 0; i < shape.meaningful[3]; i++) {
            add(shape.references[i].get(o));
        }
    }
}
