package io.belay;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.belay.internal.gate.Gate;
import io.belay.internal.machine.Machine;
import io.belay.internal.primitive.Lock;
import io.belay.internal.time.BackOff;
import io.belay.support.DaemonThread;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.NameRules;
import io.belay.support.OneLine;
import io.belay.support.Outcome;
import java.util.Set;

/** Which package of the core may know which. A rule that is about no class at all fails. */
@ArchTag("single")
@AnalyzeClasses(packages = "io.belay", importOptions = LayersTest.WithoutTests.class)
class LayersTest {
    /** The option that ArchUnit has for this knows Maven's own directory alone; nor are the tests' servers ours. */
    static final class WithoutTests implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/") && !location.contains("servers/");
        }
    }

    private static final String API = "io.belay";
    private static final String SPI = "io.belay.spi";
    private static final String SUPPORT = "io.belay.support";
    private static final String INTERNAL = "io.belay.internal";
    private static final String JFR = "io.belay.internal.jfr";
    private static final String TIME = "io.belay.internal.time";
    private static final String MACHINE = "io.belay.internal.machine";
    private static final String CLAIM = "io.belay.internal.claim";
    private static final String GATE = "io.belay.internal.gate";
    private static final String PRIMITIVE = "io.belay.internal.primitive";
    private static final String FENCE = "io.belay.fence";
    private static final String RECIPES = "io.belay.recipes";
    private static final String MEMORY = "io.belay.memory";
    private static final String[] LIBRARIES = {"java..", "org.slf4j..", "org.jspecify.."};

    @ArchTest
    static final ArchRule theSpiKnowsNobody = classes()
            .that()
            .resideInAPackage(SPI)
            .should()
            .onlyDependOnClassesThat(ours(SPI).or(belongToAnyOf(OneLine.class)));

    @ArchTest
    static final ArchRule whatIsSharedKnowsNobody =
            classes().that().resideInAPackage(SUPPORT).should().onlyDependOnClassesThat(ours(SUPPORT));

    @ArchTest
    static final ArchRule theStoreKnowsTheSpiAlone =
            classes().that().resideInAPackage(MEMORY).should().onlyDependOnClassesThat(ours(SPI, MEMORY));

    @ArchTest
    static final ArchRule theApiKnowsNobody = classes()
            .that()
            .resideInAPackage(API)
            .and()
            .doNotBelongToAnyOf(Belay.class, BelayAdmin.class)
            .should()
            .onlyDependOnClassesThat(ours(API));

    /** And what a lock's name may be. */
    @ArchTest
    static final ArchRule fencesKnowTheApiAlone = classes()
            .that()
            .resideInAPackage(FENCE)
            .should()
            .onlyDependOnClassesThat(ours(API, FENCE).or(belongToAnyOf(NameRules.class)));

    /** What could not grow is neither made nor taken apart by others. */
    @ArchTest
    static final ArchRule fencesAreMadeByNamedMethods = classes()
            .that()
            .resideInAPackage(FENCE)
            .should()
            .notBeRecords()
            .andShould()
            .haveOnlyPrivateConstructors();

    /** And by what all of Belay writes its lines, starts its threads and hands on outcomes, and by which locks are one and waits are checked. */
    @ArchTest
    static final ArchRule recipesKnowTheApiAlone = classes()
            .that()
            .resideInAPackage(RECIPES)
            .should()
            .onlyDependOnClassesThat(ours(API, RECIPES)
                    .or(belongToAnyOf(Log.class, LogName.class, DaemonThread.class, Outcome.class, Lock.class)));

    /** The two doors to the implementation, and for stores that are set up by their own options. */
    @ArchTest
    static final ArchRule belayKnowsTheImplementation = classes()
            .that(belongToAnyOf(Belay.class, BelayAdmin.class))
            .should()
            .onlyDependOnClassesThat(ours(API, SPI, INTERNAL));

    /** A runtime without Flight Recorder has classes that know it, and never loads them. */
    @ArchTest
    static final ArchRule nobodyElseKnowsFlightRecorder = noClasses()
            .that()
            .resideOutsideOfPackage(JFR)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("jdk.jfr..");

    @ArchTest
    static final ArchRule timeKnowsNoFloorAbove = floor(TIME);

    /** It has no clock, no thread and does no I/O. */
    @ArchTest
    static final ArchRule theMachineIsPure = classes()
            .that()
            .resideInAPackage(MACHINE)
            .should()
            .onlyDependOnClassesThat(ours(API, SPI, MACHINE).or(belongToAnyOf(BackOff.class)));

    /** Its lock is the gate's: others hand in an event, and the machine asserts that a step is being taken. */
    @ArchTest
    static final ArchRule onlyTheGateBeginsSteps = noClasses()
            .that()
            .doNotBelongToAnyOf(Gate.class)
            .and()
            .resideOutsideOfPackage(MACHINE)
            .should()
            .callMethodWhere(beginsAStep());

    private static DescribedPredicate<JavaMethodCall> beginsAStep() {
        return DescribedPredicate.describe(
                "begins or ends a step of the machine",
                call -> call.getTargetOwner().isEquivalentTo(Machine.class)
                        && Set.of("<init>", "begin", "settle")
                                .contains(call.getTarget().getName()));
    }

    @ArchTest
    static final ArchRule claimsKnowNoFloorAbove = floor(CLAIM, MACHINE, TIME, JFR);

    @ArchTest
    static final ArchRule gatesKnowNoFloorAbove = floor(GATE, CLAIM, MACHINE, TIME, JFR);

    @ArchTest
    static final ArchRule primitivesDoNotKnowTheClient = floor(PRIMITIVE, GATE, CLAIM, MACHINE, TIME);

    /** Nobody reads the eighth argument: what has more parts is made by name, by factories and copies of its own. */
    @ArchTest
    static final ArchRule nobodyPassesMoreThanSevenArguments = classes().should(passAtMost(7));

    private static ArchCondition<JavaClass> passAtMost(int most) {
        return new ArchCondition<>("pass at most " + most + " arguments, but inside a record and its interface") {
            @Override
            public void check(JavaClass one, ConditionEvents events) {
                for (JavaCodeUnit unit : one.getCodeUnits()) {
                    boolean canonical = one.isRecord() && unit.isConstructor();
                    if (unit.getRawParameterTypes().size() > most && !canonical) {
                        events.add(SimpleConditionEvent.violated(unit, unit.getDescription()));
                    }
                }
                for (JavaCodeUnitAccess<?> call : one.getCodeUnitAccessesFromSelf()) {
                    boolean ours = call.getTargetOwner().getPackageName().startsWith(API);
                    int passed = call.getTarget().getRawParameterTypes().size();
                    boolean itsOwn = call.getTargetOwner().equals(one)
                            || call.getTargetOwner().isAssignableTo(one.getName());
                    if (ours && passed > most && !itsOwn) {
                        events.add(SimpleConditionEvent.violated(call, call.getDescription()));
                    }
                }
            }
        };
    }

    @ArchTest
    static final ArchRule theClientKnowsNoStore = floor(INTERNAL, PRIMITIVE, GATE, CLAIM, MACHINE, TIME);

    @ArchTest
    static final ArchRule nobodyButTheServiceLoaderKnowsAStore = noClasses()
            .that()
            .resideOutsideOfPackage(MEMORY)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(MEMORY);

    @ArchTest
    static final ArchRule thereIsNoOtherPackage = classes()
            .should()
            .resideInAnyPackage(
                    API, FENCE, RECIPES, SPI, SUPPORT, INTERNAL, PRIMITIVE, GATE, CLAIM, MACHINE, TIME, JFR, MEMORY);

    /** Of all else an appender that hangs or throws could stop a timer, or lose a lease. */
    @ArchTest
    static final ArchRule nobodyButLogKnowsSlf4j = noClasses()
            .that()
            .haveNameNotMatching("io\\.belay\\.support\\.Log(Queue(\\$.*)?)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.slf4j..");

    /** A virtual thread that waits within one keeps its carrier, before Java 24. */
    @ArchTest
    static final ArchRule noMethodIsSynchronized = methods().should().notHaveModifier(JavaModifier.SYNCHRONIZED);

    /** A rule that a floor of the implementation knows the API, the SPI and the floors below, and no other. */
    private static ArchRule floor(String floor, String... below) {
        DescribedPredicate<JavaClass> known = ours(API, SPI, SUPPORT, floor).or(resideInAnyPackage(below));
        return classes().that().resideInAPackage(floor).should().onlyDependOnClassesThat(known);
    }

    private static DescribedPredicate<JavaClass> ours(String... packages) {
        return resideInAnyPackage(LIBRARIES).or(resideInAnyPackage(packages)).or(arrayOfPrimitives());
    }

    private static DescribedPredicate<JavaClass> arrayOfPrimitives() {
        return resideInAPackage("");
    }
}
