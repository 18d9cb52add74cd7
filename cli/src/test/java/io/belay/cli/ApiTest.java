package io.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compares what users and authors of stores can call with the listing in {@code docs/api.txt}: no change of the API goes
 * unseen. One that is meant is said in CHANGELOG.md, and written to the listing by {@code -Dbelay.api=write}.
 */
@AnalyzeClasses(packages = "io.belay", importOptions = LayersTest.WithoutTests.class)
class ApiTest {
    private static final Path LISTING = Path.of("../docs/api.txt");

    /** The packages that the published modules export; the suite of the stores is extended, not called. */
    private static final Set<String> EXPORTED = Set.of(
            "io.belay",
            "io.belay.fence",
            "io.belay.recipes",
            "io.belay.spi",
            "io.belay.node",
            "io.belay.document",
            "io.belay.file.fence",
            "io.belay.http",
            "io.belay.redis",
            "io.belay.jdbc",
            "io.belay.mongodb",
            "io.belay.micrometer",
            "io.belay.dashboard",
            "io.belay.shedlock",
            "io.belay.camel",
            "io.belay.spring",
            "io.belay.spring.boot",
            "io.belay.spring.integration");

    @ArchTest
    static void thePublicApiIsWhatTheListingSays(JavaClasses all) throws IOException {
        SortedSet<String> now = listing(all);
        assertThat(now).hasSizeGreaterThan(300);
        if ("write".equals(System.getProperty("belay.api"))) {
            Files.write(LISTING, now);
        }
        assertThat(now)
                .as("a change is said in CHANGELOG.md, and written to docs/api.txt by -Dbelay.api=write")
                .containsExactlyElementsOf(Files.readAllLines(LISTING));
    }

    static SortedSet<String> listing(JavaClasses all) {
        SortedSet<String> lines = new TreeSet<>();
        for (JavaClass one : all) {
            if (EXPORTED.contains(one.getPackageName()) && isReachable(one)) {
                lines.add(one.getName() + type(one));
                one.getMethods().stream()
                        .filter(unit -> isOpen(unit.getModifiers()))
                        .forEach(unit -> lines.add(line(
                                unit,
                                unit.getName() + " : " + unit.getRawReturnType().getName())));
                one.getConstructors().stream()
                        .filter(unit -> isOpen(unit.getModifiers()))
                        .forEach(unit -> lines.add(line(unit, "new")));
                one.getFields().stream()
                        .filter(field -> isOpen(field.getModifiers()))
                        .forEach(field -> lines.add(line(field)));
            }
        }
        return lines;
    }

    private static String type(JavaClass one) {
        String kind = one.isInterface() ? "interface" : one.isEnum() ? "enum" : one.isRecord() ? "record" : "class";
        String open = one.getModifiers().contains(JavaModifier.ABSTRACT)
                        || one.getModifiers().contains(JavaModifier.FINAL)
                ? ""
                : "open ";
        List<String> above =
                one.getRawInterfaces().stream().map(JavaClass::getName).sorted().collect(Collectors.toList());
        one.getRawSuperclass().ifPresent(parent -> above.add(0, parent.getName()));
        above.remove("java.lang.Object");
        return " (" + open + kind + (above.isEmpty() ? "" : " of " + String.join(", ", above)) + ")";
    }

    private static boolean isReachable(JavaClass one) {
        return isOpen(one.getModifiers())
                && one.getEnclosingClass().map(ApiTest::isReachable).orElse(true);
    }

    private static boolean isOpen(Set<JavaModifier> modifiers) {
        return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
                && !modifiers.contains(JavaModifier.SYNTHETIC);
    }

    private static String line(JavaCodeUnit unit, String what) {
        String owner = unit.getOwner().getName();
        String fixed = unit.getModifiers().contains(JavaModifier.STATIC) ? "static " : "";
        String takes =
                unit.getRawParameterTypes().stream().map(JavaClass::getName).collect(Collectors.joining(", "));
        int colon = what.indexOf(" : ");
        return colon < 0
                ? owner + " " + fixed + what + "(" + takes + ")"
                : owner + " " + fixed + what.substring(0, colon) + "(" + takes + ")" + what.substring(colon);
    }

    private static String line(JavaField field) {
        return field.getOwner().getName() + " " + field.getName() + " : "
                + field.getRawType().getName();
    }
}
