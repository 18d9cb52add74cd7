package io.belay.simulation;

import io.belay.Belay;
import io.belay.document.DocumentStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** Loads all classes of Belay anew, production's {@linkplain Weaver woven} and the tests' as they are. */
final class SimulationLoader extends ClassLoader {
    private static final String OURS = "io.belay.";
    private static final String SUFFIX = ".class";
    private static final String JAR = "jar:";

    private final Map<String, Switch> switches;
    private final Weaver weaver;
    private final List<Path> production;

    SimulationLoader(Collection<Switch> switches) {
        super(SimulationLoader.class.getClassLoader());
        this.switches = switches.stream().collect(Collectors.toMap(Switch::key, Function.identity()));
        production = List.of(root(Belay.class.getName()), root(DocumentStore.class.getName()));
        weaver = new Weaver(volatiles(), this.switches);
    }

    private static String file(String name) {
        return name.replace('.', '/') + SUFFIX;
    }

    /** The directory of classes in which that one lies, or the root of its jar. */
    private Path root(String name) {
        URL url = Objects.requireNonNull(getParent().getResource(file(name)), name);
        String text = url.toString();
        String root = text.substring(0, text.length() - file(name).length());
        return root.startsWith(JAR)
                ? inside(root.substring(JAR.length(), root.length() - 2))
                : Path.of(URI.create(root));
    }

    /** The root of a jar, which stays open for as long as classes may be loaded from it. */
    private static Path inside(String jar) {
        try {
            return FileSystems.newFileSystem(Path.of(URI.create(jar)), (ClassLoader) null)
                    .getPath("/");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All classes of production by their places below a directory of classes, in the order of these. */
    private SortedMap<String, Path> classes() {
        SortedMap<String, Path> classes = new TreeMap<>();
        for (Path root : production) {
            try (Stream<Path> files = Files.walk(root.resolve("io/belay"))) {
                files.filter(file -> file.toString().endsWith(SUFFIX))
                        .forEach(file -> classes.put(root.relativize(file).toString(), file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return classes;
    }

    private static String name(String place) {
        return place.substring(0, place.length() - SUFFIX.length()).replace('/', '.');
    }

    private Set<String> volatiles() {
        Set<String> volatiles = new HashSet<>();
        for (Path file : classes().values()) {
            ClassReader reader = new ClassReader(read(file));
            String owner = reader.getClassName();
            reader.accept(
                    new ClassVisitor(Opcodes.ASM9) {
                        @Override
                        public FieldVisitor visitField(
                                int access, String name, String descriptor, String signature, Object value) {
                            if ((access & Opcodes.ACC_VOLATILE) != 0) {
                                volatiles.add(owner + "." + name);
                            }
                            return null;
                        }
                    },
                    ClassReader.SKIP_CODE);
        }
        return volatiles;
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        Optional<Path> file = production.stream()
                .map(root -> root.resolve(file(name)))
                .filter(Files::exists)
                .findFirst();
        byte[] made;
        if (file.isPresent()) {
            made = weaver.weave(read(file.get()));
        } else {
            try (InputStream in = getParent().getResourceAsStream(file(name))) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                made = in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return defineClass(name, made, 0, made.length);
    }

    /**
     * Loads the classes of these packages, so that none is loaded in the midst of a world; fails if a method that was to be
     * switched off was not come across.
     */
    void load(String... packages) throws ClassNotFoundException {
        for (String place : classes().keySet()) {
            String name = name(place);
            if (Set.of(packages).contains(name.substring(0, name.lastIndexOf('.'))) && !name.endsWith("-info")) {
                Class.forName(name, true, this);
            }
        }
        switches.forEach((key, off) -> {
            if (!off.isFound()) {
                throw new IllegalStateException("nothing was switched off: " + key);
            }
        });
    }
}
