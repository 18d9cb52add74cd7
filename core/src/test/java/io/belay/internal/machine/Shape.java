package io.belay.internal.machine;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The fields of a class whose objects change, so that a test can copy and compare them without their knowing. */
final class Shape {
    /** What no decision depends on, or what is set before each one. */
    private static final Set<String> MEANINGLESS = Set.of(
            "Machine.now",
            "Machine.wallOffset",
            "Machine.state",
            "Caller.queuedAt",
            "Caller.released",
            "Caller.lookOrder",
            "TimeLimits.order",
            "Stay.described",
            "Stay.shown",
            "LateGrants.text",
            "SimClient.id",
            "SimClient.step");

    private static final Map<Class<?>, Shape> KNOWN = new HashMap<>();

    private final Constructor<?> maker;
    final Field[] numbers;
    final Field[] flags;
    final Field[] longs;
    final Field[] references;
    /** How many of each kind tell states apart: they come first. */
    final int[] meaningful = new int[4];

    private Shape(Class<?> type) throws ReflectiveOperationException {
        List<Field> all = new ArrayList<>();
        for (Class<?> at = type; at != Object.class; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    all.add(field);
                }
            }
        }
        numbers = of(all, int.class, 0);
        flags = of(all, boolean.class, 1);
        longs = of(all, long.class, 2);
        all.removeIf(f -> f.getType().isPrimitive());
        references = of(all, null, 3);
        maker = maker(type);
    }

    private Field[] of(List<Field> all, Class<?> type, int kind) {
        List<Field> some = new ArrayList<>();
        all.stream().filter(f -> type == null || f.getType() == type).forEach(f -> {
            if (MEANINGLESS.contains(f.getDeclaringClass().getSimpleName() + "." + f.getName())) {
                some.add(f);
            } else {
                some.add(meaningful[kind]++, f);
            }
        });
        return some.toArray(new Field[0]);
    }

    /** Returns what makes an object without running a constructor of its own, as serialization does. */
    private static Constructor<?> maker(Class<?> type) throws ReflectiveOperationException {
        Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
        Object made = factory.getMethod("getReflectionFactory").invoke(null);
        return (Constructor<?>) factory.getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                .invoke(made, type, Object.class.getConstructor());
    }

    static Shape of(Class<?> type) {
        Shape known = KNOWN.get(type);
        if (known == null) {
            try {
                known = new Shape(type);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
            KNOWN.put(type, known);
        }
        return known;
    }

    Object make() throws ReflectiveOperationException {
        return maker.newInstance();
    }

    /** Copies what is no reference. */
    void copyPlain(Object from, Object to) throws IllegalAccessException {
        for (Field field : numbers) {
            field.setInt(to, field.getInt(from));
        }
        for (Field field : flags) {
            field.setBoolean(to, field.getBoolean(from));
        }
        for (Field field : longs) {
            field.setLong(to, field.getLong(from));
        }
    }
}
