package io.belay.servers;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.lang.reflect.TypeVariable;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls everything that is public with null, one parameter at a time, and says where that is not refused with the
 * parameter's name. The classes are to be compiled with the names of their parameters, and {@code org.jspecify} is
 * to be among the modules, or nobody knows what may be null.
 */
public final class NullProbe {
    private static final String CLASS = ".class";
    private static final List<Object> PRIMITIVES = List.of(true, 1, 1L, 1.0, (byte) 1);

    private final Set<Class<?>> exempt;
    private final List<Object> samples;

    /**
     * @param exempt what others implement, so that nobody can say what they refuse
     * @param samples an object of each type that is called or is an argument; of those that fit, all are called,
     *     and the first is the argument
     */
    public NullProbe(Set<Class<?>> exempt, List<Object> samples) {
        this.exempt = exempt;
        this.samples = samples;
    }

    /**
     * A line for each parameter that takes null, or refuses it in other words, among the public types of the
     * module that a class is of; where it is in none, those of its package.
     */
    public List<String> complaints(Class<?> one) throws ReflectiveOperationException, IOException, URISyntaxException {
        return complaintsOf(publicTypes(one));
    }

    /** Returns a line for each such parameter among these types. */
    public List<String> complaintsOf(Collection<Class<?>> types) throws ReflectiveOperationException {
        List<String> complaints = new ArrayList<>();
        for (Class<?> type : types) {
            if (!exempt.contains(type)) {
                check(type, complaints);
            }
        }
        return complaints;
    }

    private static List<Class<?>> publicTypes(Class<?> one)
            throws IOException, URISyntaxException, ClassNotFoundException {
        Path root =
                Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
        Set<String> packages = packages(root).orElse(Set.of(one.getPackageName()));
        List<Path> files;
        try (Stream<Path> all = Files.walk(root)) {
            files = all.map(root::relativize).sorted().toList();
        }
        List<Class<?>> types = new ArrayList<>();
        for (Path file : files) {
            String name = file.toString().replace(file.getFileSystem().getSeparator(), ".");
            if (name.endsWith(CLASS) && !name.endsWith("-info" + CLASS)) {
                Class<?> type =
                        Class.forName(name.substring(0, name.length() - CLASS.length()), false, one.getClassLoader());
                if (packages.contains(type.getPackageName()) && isPublic(type)) {
                    types.add(type);
                }
            }
        }
        if (types.isEmpty()) {
            throw new IllegalStateException("there is no public type beside " + one);
        }
        return types;
    }

    private static Optional<Set<String>> packages(Path root) throws IOException {
        Path module = root.resolve("module-info" + CLASS);
        if (!Files.exists(module)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(module)) {
            return Optional.of(ModuleDescriptor.read(in).exports().stream()
                    .map(ModuleDescriptor.Exports::source)
                    .collect(Collectors.toSet()));
        }
    }

    private static boolean isPublic(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && !type.isAnonymousClass()
                && (type.getEnclosingClass() == null || isPublic(type.getEnclosingClass()));
    }

    /** An object of an interface that does nothing, for an argument. */
    public static <T> T stub(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> switch (method.getName()) {
                    case "toString" -> "a stub";
                    default -> method.getReturnType() == boolean.class ? false : null;
                }));
    }

    private void check(Class<?> type, List<String> complaints) throws ReflectiveOperationException {
        for (Constructor<?> constructor : type.getConstructors()) {
            check(constructor, Optional.empty(), complaints);
        }
        for (Method method : type.getMethods()) {
            boolean own = method.getDeclaringClass().getPackageName().equals(type.getPackageName());
            boolean given = method.isSynthetic() || method.getName().equals("equals") || type.isEnum();
            if (own && !given && Modifier.isStatic(method.getModifiers())) {
                check(method, Optional.empty(), complaints);
            } else if (own && !given && hasReference(method)) {
                List<Object> receivers =
                        samples.stream().filter(type::isInstance).toList();
                if (receivers.isEmpty()) {
                    complaints.add("there is no sample of " + type.getName());
                }
                for (Object receiver : receivers) {
                    check(method, Optional.of(receiver), complaints);
                }
            }
        }
    }

    private static boolean hasReference(Method method) {
        return Arrays.stream(method.getParameterTypes()).anyMatch(type -> !type.isPrimitive());
    }

    private void check(Executable called, Optional<Object> receiver, List<String> complaints)
            throws ReflectiveOperationException {
        Parameter[] parameters = called.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i].getType().isPrimitive() || isNullable(parameters[i])) {
                continue;
            }
            @Nullable Object[] args = new Object[parameters.length];
            for (int other = 0; other < parameters.length; other++) {
                args[other] = other == i ? null : argument(parameters[other].getType());
            }
            String outcome = outcome(called, receiver, args);
            if (!outcome.equals(NullPointerException.class.getName() + ": " + parameters[i].getName())) {
                String of = receiver.map(object -> " of a " + object.getClass().getSimpleName())
                        .orElse("");
                complaints.add(called + of + ", " + parameters[i].getName() + ": " + outcome);
            }
        }
    }

    private static String outcome(Executable called, Optional<Object> receiver, @Nullable Object[] args)
            throws ReflectiveOperationException {
        try {
            if (called instanceof Constructor<?> constructor) {
                constructor.newInstance(args);
            } else {
                ((Method) called).invoke(receiver.orElse(null), args);
            }
            return "taken";
        } catch (InvocationTargetException e) {
            return String.valueOf(e.getCause());
        }
    }

    private static boolean isNullable(Parameter parameter) {
        return isMarked(parameter.getAnnotatedType())
                || (parameter.getParameterizedType() instanceof TypeVariable<?> variable
                        && isMarked(variable.getAnnotatedBounds()[0]));
    }

    private static boolean isMarked(AnnotatedElement type) {
        return type.isAnnotationPresent(Nullable.class);
    }

    private Object argument(Class<?> type) {
        return Stream.concat(samples.stream(), PRIMITIVES.stream())
                .filter(sample -> type.isInstance(sample) || (type.isPrimitive() && fits(type, sample)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no sample of " + type.getName()));
    }

    private static boolean fits(Class<?> primitive, Object sample) {
        return MethodType.methodType(primitive).wrap().returnType() == sample.getClass();
    }
}
