package io.belay.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.recipes.MultiLock;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Which package may know which, with all modules on one class path; within the core its own test says more. A rule that is
 * about no class at all fails.
 */
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
    private static final String FENCE = "io.belay.fence";
    private static final String SPI = "io.belay.spi";
    private static final String SUPPORT = "io.belay.support";
    private static final String SERVER = "io.belay.server";
    private static final String INTERNAL = "io.belay.internal..";
    private static final String NODE = "io.belay.node";
    private static final String DOCUMENT = "io.belay.document";
    private static final String MEMORY = "io.belay.memory";
    private static final String FILE_FENCE = "io.belay.file.fence";
    private static final String HTTP = "io.belay.http";
    private static final String FILE = "io.belay.file";
    private static final String QUORUM = "io.belay.quorum";
    private static final String REDIS = "io.belay.redis";
    private static final String ETCD = "io.belay.etcd";
    private static final String ZOOKEEPER = "io.belay.zookeeper";
    private static final String JDBC = "io.belay.jdbc";
    private static final String MONGODB = "io.belay.mongodb";
    private static final String MICROMETER = "io.belay.micrometer";
    private static final String SHEDLOCK = "io.belay.shedlock";
    private static final String SPRING_INTEGRATION = "io.belay.spring.integration";
    private static final String CAMEL = "io.belay.camel";
    private static final String SPRING = "io.belay.spring";
    private static final String SPRING_BOOT = "io.belay.spring.boot";
    private static final String[] LIBRARIES = {"java..", "org.slf4j..", "org.jspecify.."};
    private static final String[] STORES = {MEMORY, FILE, QUORUM, REDIS, ETCD, ZOOKEEPER, JDBC, MONGODB};
    private static final String[] TEMPLATES = {NODE, DOCUMENT};

    /** Where a caller may be on a virtual thread, and no driver has a say. */
    private static final String[] WITHOUT_DRIVERS = {
        API,
        SPI,
        SUPPORT,
        INTERNAL,
        NODE,
        DOCUMENT,
        MEMORY,
        FILE,
        QUORUM,
        MICROMETER,
        SHEDLOCK,
        SPRING_INTEGRATION,
        CAMEL
    };

    @ArchTest
    static final ArchRule documentsKnowTheSpiAlone = know(DOCUMENT, SPI, SUPPORT);

    @ArchTest
    static final ArchRule nodesKnowTheSpiAlone = know(NODE, SPI, SUPPORT);

    @ArchTest
    static final ArchRule filesKnowTheSpiAlone = know(FILE, SPI, SUPPORT);

    @ArchTest
    static final ArchRule aQuorumKnowsTheSpiAlone = know(QUORUM, SPI, SUPPORT);

    /** Three stores are also set up in code, by what makes a client of it. */
    @ArchTest
    static final ArchRule redisKnowsTheSpi = knowBesideDrivers(REDIS, SPI, SUPPORT, SERVER, API, FENCE);

    @ArchTest
    static final ArchRule etcdKnowsTheSpiAndNodes = knowBesideDrivers(ETCD, SPI, SUPPORT, SERVER, NODE);

    @ArchTest
    static final ArchRule zooKeeperKnowsTheSpiAndNodes = knowBesideDrivers(ZOOKEEPER, SPI, SUPPORT, SERVER, NODE);

    @ArchTest
    static final ArchRule databasesKnowTheSpiAndDocuments =
            knowBesideDrivers(JDBC, SPI, SUPPORT, SERVER, API, FENCE, DOCUMENT);

    @ArchTest
    static final ArchRule mongoDbKnowsTheSpiAndDocuments =
            knowBesideDrivers(MONGODB, SPI, SUPPORT, SERVER, API, FENCE, DOCUMENT);

    /** The guards of files and of requests need no store. */
    @ArchTest
    static final ArchRule fencedFilesKnowTheFenceAlone = know(FILE_FENCE, FENCE);

    @ArchTest
    static final ArchRule fencedRequestsKnowTheFenceAlone = knowBesideDrivers(HTTP, API, FENCE);

    @ArchTest
    static final ArchRule metersKnowTheApi = knowBesideDrivers(MICROMETER, API, SUPPORT);

    /** The capabilities of a store are the one type of the contract that users meet. */
    @ArchTest
    static final ArchRule jobsKnowTheApi = knowBesideDrivers(SHEDLOCK, API, SPI);

    @ArchTest
    static final ArchRule springIntegrationKnowsTheApi = knowBesideDrivers(SPRING_INTEGRATION, API, SPI, SUPPORT);

    @ArchTest
    static final ArchRule storesDoNotKnowEachOther = slices().matching(
                    "io.belay.(memory|file|quorum|redis|etcd|zookeeper|jdbc|mongodb)..")
            .should()
            .notDependOnEachOther();

    /** The shop's ledger has the fence of a database, as each application may. */
    @ArchTest
    static final ArchRule nobodyButTheServiceLoaderKnowsAStore = noClasses()
            .that()
            .resideOutsideOfPackages(STORES)
            .and()
            .resideOutsideOfPackages(SPRING, SPRING_BOOT, "io.belay.shop.ledger")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(STORES);

    @ArchTest
    static final ArchRule nobodyButStoresKnowsATemplate = noClasses()
            .that()
            .resideOutsideOfPackages(ETCD, ZOOKEEPER, JDBC, MONGODB, NODE, DOCUMENT)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(TEMPLATES);

    @ArchTest
    static final ArchRule camelKnowsTheApi = knowBesideDrivers(CAMEL, API, SUPPORT);

    /** The fence is the one thing of a store that transactions know; names are made of keys, and told, as elsewhere. */
    @ArchTest
    static final ArchRule annotationsKnowTheApiAndTheFence =
            knowBesideDrivers(SPRING, API, FENCE, SPI, SUPPORT, "io.belay.recipes", JDBC);

    /** Auto-configuration brings together what an application has; nobody else knows it. */
    @ArchTest
    static final ArchRule nobodyKnowsAutoConfiguration = noClasses()
            .that()
            .resideOutsideOfPackages(SPRING_BOOT + "..", "io.belay.shop..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(SPRING_BOOT);

    /** One circle is meant: what is static in {@code Belay} and {@code BelayAdmin} makes a client, or asks. */
    @ArchTest
    static final ArchRule noPackagesGoInACircle = slices().matching("io.(**)")
            .should()
            .beFreeOfCycles()
            .ignoreDependency(belongToAnyOf(Belay.class, BelayAdmin.class), resideInAPackage(INTERNAL));

    /** Its types are public only for each other, and the module does not export them. MultiLock asks which locks are of one resource. */
    @ArchTest
    static final ArchRule nobodyOutsideKnowsTheImplementation = noClasses()
            .that()
            .resideOutsideOfPackage(INTERNAL)
            .and()
            .doNotBelongToAnyOf(Belay.class, BelayAdmin.class, MultiLock.class)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(INTERNAL);

    /** Of all else an appender that hangs or throws could stop a timer, or lose a lease. */
    @ArchTest
    static final ArchRule nobodyButLogKnowsSlf4j = noClasses()
            .that()
            .resideInAnyPackage(API, SPI, SUPPORT, INTERNAL, NODE, DOCUMENT, MICROMETER, SHEDLOCK, SPRING_INTEGRATION)
            .or()
            .resideInAnyPackage(STORES)
            .and()
            .haveNameNotMatching("io\\.belay\\.support\\.Log(Queue(\\$.*)?)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.slf4j..");

    /** A virtual thread that waits within one keeps its carrier, before Java 24. */
    @ArchTest
    static final ArchRule noMethodIsSynchronized = methods()
            .that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(WITHOUT_DRIVERS)
            .should()
            .notHaveModifier(JavaModifier.SYNCHRONIZED);

    /** The common pool may have one thread, which an application may keep busy for as long as it likes. */
    @ArchTest
    static final ArchRule nothingRunsOnTheCommonPool = noClasses()
            .that()
            .resideOutsideOfPackages("io.belay.trials..", "io.belay.bench..")
            .should()
            .callMethodWhere(DescribedPredicate.describe("it runs on the common pool", LayersTest::isOnTheCommonPool));

    private static boolean isOnTheCommonPool(JavaMethodCall call) {
        String name = call.getName();
        return call.getTargetOwner().isAssignableTo(CompletionStage.class)
                && (name.endsWith("Async") || name.equals("delayedExecutor"))
                && call.getTarget().getRawParameterTypes().stream()
                        .noneMatch(type -> type.isEquivalentTo(Executor.class));
    }

    /** A rule that a package knows these alone, beside itself and the JDK. */
    private static ArchRule know(String who, String... whom) {
        return only(resideInAnyPackage(LIBRARIES), who, whom);
    }

    /** The same of one that knows a driver or another library, too. */
    private static ArchRule knowBesideDrivers(String who, String... whom) {
        return only(resideOutsideOfPackage("io.belay.."), who, whom);
    }

    private static ArchRule only(DescribedPredicate<JavaClass> others, String who, String... whom) {
        DescribedPredicate<JavaClass> arraysOfPrimitives = resideInAPackage("");
        return classes()
                .that()
                .resideInAPackage(who)
                .should()
                .onlyDependOnClassesThat(
                        others.or(arraysOfPrimitives).or(resideInAPackage(who)).or(resideInAnyPackage(whom)));
    }
}
