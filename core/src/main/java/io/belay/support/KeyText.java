package io.belay.support;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The text of an object of which a lock's name is made: the same for equal objects on all nodes. What has no such text is refused,
 * as each call would take another lock, and nobody would be kept out.
 */
public final class KeyText {
    /** What {@link Object#toString()} says: the name of a class, and a hash that is another one for each object. */
    private static final Pattern IDENTITY = Pattern.compile("(\\[*[\\w$.]+;?)(?:/[\\w.]+)?@[0-9a-f]{1,8}(?![\\w.@])");

    private KeyText() {}

    /**
     * Returns the text of text, a number, a boolean, an enum, a UUID, a time of java.time or an object whose class has a {@code toString} of
     * its own; of a collection or an array those of its elements, in their order if it is no list or queue.
     *
     * @throws IllegalArgumentException if there is none: with what it is and what to write in its place, as the end of a sentence
     *     whose subject is the value
     */
    public static String of(Object value) {
        return text(Objects.requireNonNull(value, "value"));
    }

    private static String text(@Nullable Object value) {
        if (value instanceof CharSequence) {
            return value.toString();
        }
        Collection<?> elements = value == null ? null : elements(value);
        if (elements != null) {
            List<String> texts = elements.stream().map(KeyText::text).toList();
            return (isOrdered(elements) ? texts.stream() : texts.stream().sorted())
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        return ofOne(value);
    }

    /** Returns what a collection or an array has, in its order; null if the value is neither. */
    public static @Nullable Collection<?> elements(Object value) {
        Objects.requireNonNull(value, "value");
        if (value instanceof Collection<?> collection) {
            return collection;
        } else if (!value.getClass().isArray()) {
            return null;
        } else if (value instanceof byte[]) {
            throw new IllegalArgumentException("is a byte[]: give its text, as by HexFormat.of().formatHex(bytes)");
        } else if (value instanceof char[]) {
            throw new IllegalArgumentException("is a char[]: give a String");
        }
        return IntStream.range(0, Array.getLength(value))
                .mapToObj(i -> Array.get(value, i))
                .toList();
    }

    private static String ofOne(@Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException("has an element that is null");
        } else if (value instanceof Map) {
            throw new IllegalArgumentException(
                    "is a Map, whose order may be another on other nodes: give the entry that is meant");
        } else if (value instanceof Optional
                || value instanceof OptionalInt
                || value instanceof OptionalLong
                || value instanceof OptionalDouble) {
            throw new IllegalArgumentException(
                    "is an " + value.getClass().getSimpleName() + ": give what is in it, as by orElseThrow()");
        } else if (value instanceof Date || value instanceof Calendar) {
            throw new IllegalArgumentException("is a " + value.getClass().getName()
                    + ", whose text is another in each time zone: give what java.time has, as by toLocalDate() or toLocalTime() where"
                    + " it has one, else by toInstant()");
        } else if (!hasText(value)) {
            throw noText(value.getClass().getName());
        }
        String text = value.toString();
        if (text == null) {
            throw new IllegalArgumentException("is a " + value.getClass().getName() + " whose toString is null");
        }
        checkOrder("value", value, text);
        return examined(text, value.getClass().getClassLoader());
    }

    /** Refuses what has in its text that of a set or a map, in the order in which this process has it. */
    private static void checkOrder(String name, @Nullable Object part, String text) {
        if (part == null || !text.contains(String.valueOf(part))) {
            return;
        } else if (part instanceof Record) {
            for (RecordComponent component : part.getClass().getRecordComponents()) {
                checkOrder(component.getName(), part(part, component), text);
            }
        } else if (part instanceof Map.Entry<?, ?> entry) {
            checkOrder(name, entry.getKey(), text);
            checkOrder(name, entry.getValue(), text);
        } else if (part instanceof Optional<?> optional) {
            checkOrder(name, optional.orElse(null), text);
        } else if (part instanceof Map<?, ?> map) {
            checkOrder(
                    name,
                    "Map",
                    map.entrySet(),
                    map instanceof SortedMap || map instanceof EnumMap || map instanceof LinkedHashMap,
                    text);
        } else if (part instanceof Collection<?> all) {
            boolean ordered = isOrdered(all)
                    || all instanceof SortedSet
                    || all instanceof EnumSet
                    || all instanceof LinkedHashSet;
            checkOrder(name, all instanceof Set ? "Set" : "Collection", all, ordered, text);
        }
    }

    private static void checkOrder(String name, String type, Collection<?> elements, boolean ordered, String text) {
        if (!ordered && elements.size() > 1) {
            throw new IllegalArgumentException("has a " + type + " in it ('" + name
                    + "'), whose order may be another on other nodes: give what identifies it, such as its id");
        }
        elements.forEach(element -> checkOrder(name, element, text));
    }

    private static boolean isOrdered(Collection<?> elements) {
        return elements instanceof List || elements instanceof Queue;
    }

    /** Returns a part of a record; null if it cannot be read. */
    private static @Nullable Object part(Object value, RecordComponent component) {
        try {
            Method accessor = component.getAccessor();
            return accessor.trySetAccessible() ? accessor.invoke(value) : null;
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private static boolean hasText(Object value) {
        try {
            return value.getClass().getMethod("toString").getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("every object has a toString", e);
        }
    }

    /**
     * Returns a text that was made of others, unless one of these is that of an object without a {@code toString} of its own.
     *
     * @throws IllegalArgumentException if it is, as that of {@link #of}
     */
    public static String examined(String text) {
        return examined(Objects.requireNonNull(text, "text"), null);
    }

    /**
     * Asks other loaders, too: the value's own knows no class of the application if it is one of the JDK's, and the context's none on
     * a thread of the common pool where the application has a loader of its own, which then is Belay's.
     */
    private static String examined(String text, @Nullable ClassLoader loader) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader own = KeyText.class.getClassLoader();
        Matcher matcher = IDENTITY.matcher(text);
        while (matcher.find()) {
            String type = matcher.group(1);
            if (type.contains("$$Lambda") || isClass(type, loader) || isClass(type, context) || isClass(type, own)) {
                throw noText(type);
            }
        }
        return text;
    }

    private static boolean isClass(String name, @Nullable ClassLoader loader) {
        try {
            Class.forName(name, false, loader);
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    private static IllegalArgumentException noText(String type) {
        return new IllegalArgumentException("has the text of a " + type
                + ", which has no toString of its own, so that each call would take another lock: give what identifies it, such as"
                + " its id");
    }
}
