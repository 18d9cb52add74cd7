package io.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Looks for knots: classes of one package that all know each other, if only by way of others. To understand one of them is
 * to understand them all, so a knot is to stay small. A class counts together with those that are nested in it, and an interface
 * with the record behind it that has its name: it makes and permits that alone.
 */
@AnalyzeClasses(packages = "io.belay", importOptions = LayersTest.WithoutTests.class)
class KnotsTest {
    private static final int LARGEST = 6;

    @ArchTest
    static void noKnotHasMoreThanSixClasses(JavaClasses all) {
        Map<String, Set<String>> known = known(all);
        assertThat(known).as("classes that were looked at").hasSizeGreaterThan(300);
        Set<Set<String>> large = known.keySet().stream()
                .map(one -> knot(one, known))
                .filter(knot -> knot.size() > LARGEST)
                .collect(Collectors.toSet());
        assertThat(large).isEmpty();
    }

    @Test
    void aKnotIsFoundByWayOfOthers() {
        Map<String, Set<String>> known =
                Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of("a", "d"), "d", Set.of("e"), "e", Set.of());
        assertThat(knot("a", known)).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(knot("d", known)).containsExactly("d");
    }

    /** Returns which classes of its own package each class knows. */
    private static Map<String, Set<String>> known(JavaClasses all) {
        Map<String, Set<String>> known = new TreeMap<>();
        for (JavaClass one : all) {
            Set<String> its = known.computeIfAbsent(outermost(one), name -> new TreeSet<>());
            for (Dependency dependency : one.getDirectDependenciesFromSelf()) {
                JavaClass other = dependency.getTargetClass().getBaseComponentType();
                if (other.getPackageName().equals(one.getPackageName())) {
                    its.add(outermost(other));
                }
            }
        }
        return known;
    }

    private static String outermost(JavaClass one) {
        return one.getName().replaceFirst("\\$.*", "").replaceFirst("(?<=\\w)Value$", "");
    }

    private static Set<String> knot(String one, Map<String, Set<String>> known) {
        return reachable(one, known).stream()
                .filter(other -> reachable(other, known).contains(one))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> reachable(String from, Map<String, Set<String>> known) {
        Set<String> found = new HashSet<>(Set.of(from));
        Deque<String> next = new ArrayDeque<>(found);
        while (!next.isEmpty()) {
            known.getOrDefault(next.poll(), Set.of()).stream()
                    .filter(found::add)
                    .forEach(next::add);
        }
        return found;
    }
}
