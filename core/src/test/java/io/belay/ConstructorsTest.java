package io.belay;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.belay.spi.Sink;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What the API and the contract with stores hand out can grow: nobody outside calls a constructor that would have a part more,
 * and there is no record, whose parts are one.
 */
class ConstructorsTest {
    /** The packages for users. */
    private static final Set<String> FOR_USERS = Set.of("io.belay", "io.belay.recipes", "io.belay.fence");

    private static final Set<String> FOR_STORES = Set.of("io.belay.spi");

    /** What is found. */
    public record Planted(int part) {}

    private static List<JavaClass> openIn(Set<String> packages) {
        return new ClassFileImporter()
                .withImportOption(new LayersTest.WithoutTests()).importPackages(packages).stream()
                        .filter(one -> packages.contains(one.getPackageName()) && isOpen(one))
                        .toList();
    }

    private static boolean isOpen(JavaClass one) {
        return one.getModifiers().contains(JavaModifier.PUBLIC)
                && one.getEnclosingClass().map(ConstructorsTest::isOpen).orElse(true);
    }

    /** Returns the public constructors and records, but for those that are allowed. */
    private static SortedSet<String> found(List<JavaClass> types) {
        SortedSet<String> found = new TreeSet<>();
        for (JavaClass one : types) {
            if (one.isRecord()) {
                found.add("record " + one.getName());
            }
            // Modules and tests of users throw them; one with more to tell gets another constructor, and keeps this
            // one.
            if (!one.isAssignableTo(Throwable.class)) {
                one.getConstructors().stream()
                        .filter(made -> made.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(JavaConstructor::getFullName)
                        .forEach(found::add);
            }
        }
        return found;
    }

    @Test
    void usersCallFactories() {
        List<JavaClass> types = openIn(FOR_USERS);
        assertThat(types).hasSizeGreaterThan(40);
        assertThat(found(types)).isEmpty();
    }

    /** A sink is no value, but what is written into. */
    @Test
    void storesCallFactories() {
        List<JavaClass> types = openIn(FOR_STORES);
        assertThat(types).hasSizeGreaterThan(30);
        assertThat(found(types)).containsExactly(Sink.class.getName() + ".<init>()");
    }

    @Test
    void aConstructorAndARecordAreFound() {
        assertThat(found(List.of(new ClassFileImporter().importClass(Planted.class))))
                .containsExactly(Planted.class.getName() + ".<init>(int)", "record " + Planted.class.getName());
    }
}
