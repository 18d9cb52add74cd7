package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.annotation.AliasFor;

/** The shapes of beans and methods that can be locked, and what of a locked class is left alone. */
class LockedShapesTest {
    /** Returns the names of the locks that the method holds that calls this. */
    static List<String> held() {
        return CurrentLease.all().stream().map(Lease::name).toList();
    }

    /** Makes a part of a name. */
    public static String key(String one) {
        return one + "!";
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class Client {
        @Bean
        static Belay belay() {
            return Belay.connect("memory:shapes");
        }

        @Bean
        String suffix() {
            return "bean";
        }
    }

    /**
     * A call, and the lock that it is to hold.
     *
     * @param bean the class of the bean, or of a configuration that makes it
     * @param call the call, of which the bean says what it holds
     */
    record Shape(String title, Class<?> bean, Function<ApplicationContext, List<String>> call, List<String> held) {
        @Override
        public String toString() {
            return title;
        }
    }

    /** A bean that is known by its class. */
    private static <T> Shape locked(String title, Class<T> bean, Function<T, List<String>> call, String... locks) {
        return locked(title, bean, bean, call, locks);
    }

    private static <T> Shape locked(
            String title, Class<?> bean, Class<T> type, Function<T, List<String>> call, String... locks) {
        return new Shape(title, bean, context -> call.apply(context.getBean(type)), List.of(locks));
    }

    static class Methods {
        @Locked("x")
        public List<String> ofAll() {
            return held();
        }

        @Locked("x")
        List<String> ofThePackage() {
            return held();
        }

        @Locked("x")
        protected List<String> ofSubclasses() {
            return held();
        }

        @Locked("x:#{#one}:#{#p1}:#{#a2}:#{@suffix}")
        public List<String> named(String one, int other, Object third) {
            return held();
        }

        @Locked("x:#{#several}")
        public List<String> varargs(String... several) {
            return held();
        }

        @Locked("x:#{#several.![#this + 1]}:#{#root.class.simpleName.length() > 0}")
        public List<String> projected(List<Integer> several) {
            return held();
        }

        public String getShop() {
            return "north";
        }

        @Locked("{sku}:#{#sku}")
        public List<String> ofATag(String sku) {
            return held();
        }

        @Locked(
                "{x}:#{shop}:#{#root.shop.length()}:#{#one[sku]}:#{{sku: 1}.size()}:#{#two.?[length() > 1].![bytes.length]}")
        public List<String> ofTheBean(Map<String, String> one, List<String> two) {
            return held();
        }

        @Locked("#nobody #{'and #one'}")
        public List<String> sharp(String one) {
            return held();
        }

        @Locked("x:#{T(io.belay.spring.LockedShapesTest).key(#one)}")
        public List<String> ofAType(String one) {
            return held();
        }

        @Locked("x")
        public Object made(Object result) {
            return result;
        }
    }

    static class Inherits extends Methods {}

    static class Overrides extends Methods {
        @Override
        public List<String> ofAll() {
            return held();
        }
    }

    interface Shop {
        @Locked("x:#{#article}")
        List<String> sell(String article);

        @Locked("x")
        default List<String> stock() {
            return held();
        }
    }

    static class OfInterface implements Shop {
        @Override
        public List<String> sell(String sku) {
            return held();
        }
    }

    interface Handler<T> {
        List<String> handle(T what);
    }

    static class HandlesText implements Handler<String> {
        @Override
        @Locked("x:#{#text}")
        public List<String> handle(String text) {
            return held();
        }
    }

    interface LockedHandler<T> {
        @Locked("x:#{#what}")
        List<String> handle(T what);
    }

    static class HandlesNumbers implements LockedHandler<Integer> {
        @Override
        public List<String> handle(Integer number) {
            return held();
        }
    }

    abstract static class Generic<T> {
        public abstract List<String> handle(T what);

        abstract Object made();
    }

    static class OfGeneric extends Generic<String> {
        @Override
        @Locked("x:#{#text}")
        public List<String> handle(String text) {
            return held();
        }

        @Override
        @Locked("x")
        public List<String> made() {
            return held();
        }
    }

    static class Hidden {
        @Locked("x")
        public List<String> sell() {
            return held();
        }
    }

    /** The compiler gives it a bridge with the annotation, as the class above is not public. */
    public static class Shown extends Hidden {}

    @Retention(RetentionPolicy.RUNTIME)
    @Locked(value = "", longestWait = "1s")
    @interface OfStock {
        @AliasFor(annotation = Locked.class, attribute = "value")
        String of();
    }

    static class Composed {
        @OfStock(of = "x:#{#sku}")
        public List<String> sell(String sku) {
            return held();
        }
    }

    record OfRecord() implements Shop {
        @Override
        public List<String> sell(String sku) {
            return held();
        }
    }

    @Locked("x")
    static class Whole {
        private List<String> told = List.of();

        public List<String> ofAll() {
            return held();
        }

        @Locked("y")
        public List<String> own() {
            return held();
        }

        List<String> ofThePackage() {
            return held();
        }

        protected List<String> ofSubclasses() {
            return held();
        }

        @Override
        public String toString() {
            told = held();
            return "told";
        }

        List<String> told() {
            return told;
        }
    }

    static class InheritsWhole extends Whole {
        public List<String> further() {
            return held();
        }
    }

    @Locked("x")
    interface WholeShop extends Selling {
        default void restock() {}
    }

    interface Selling {
        List<String> sell();
    }

    @LeaderOnly(value = "shops", otherwise = Locked.Otherwise.THROW)
    interface LedShop extends Selling {}

    static class OfWholeShop implements WholeShop {
        @Override
        public List<String> sell() {
            return held();
        }

        /** Nobody can call it from outside: the bean is known by its interface. */
        public final List<String> stock() {
            return held();
        }
    }

    @Configuration
    @Import(Client.class)
    static class Makes {
        /** As repositories are made: a proxy that knows the interface, around a target that does not. */
        @Bean
        static Shop repository() {
            return made(Shop.class);
        }

        static <T> T made(Class<T> type) {
            ProxyFactory factory = new ProxyFactory(new Object());
            factory.setInterfaces(type);
            factory.addAdvice((MethodInterceptor) call -> held());
            return type.cast(factory.getProxy());
        }

        @Bean
        static WholeShop wholeRepository() {
            return made(WholeShop.class);
        }

        @Bean
        static LockedHandler<?> plain() {
            return (LockedHandler<?>) Proxy.newProxyInstance(
                    LockedHandler.class.getClassLoader(),
                    new Class<?>[] {LockedHandler.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "hashCode" -> System.identityHashCode(proxy);
                        case "equals" -> proxy == arguments[0];
                        case "toString" -> "plain";
                        default -> held();
                    });
        }

        @Bean
        @Lazy
        Methods lazy() {
            return new Methods();
        }

        @Bean
        @Scope("prototype")
        Composed prototype() {
            return new Composed();
        }

        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Shown scoped() {
            return new Shown();
        }
    }

    @SuppressWarnings("unchecked")
    private static List<String> handle(Object bean, Object what) {
        return bean instanceof Handler<?> handler
                ? ((Handler<Object>) handler).handle(what)
                : ((LockedHandler<Object>) bean).handle(what);
    }

    static Stream<Shape> locked() {
        return Stream.of(
                locked("a public method", Methods.class, Methods::ofAll, "x"),
                locked("one of the package", Methods.class, Methods::ofThePackage, "x"),
                locked("a protected one", Methods.class, Methods::ofSubclasses, "x"),
                locked("an inherited one", Inherits.class, Methods::ofAll, "x"),
                locked("one that overrides a locked one", Overrides.class, Methods::ofAll, "x"),
                locked("a name of parameters and a bean", Methods.class, it -> it.named("a", 2, 'c'), "x:a:2:c:bean"),
                locked("a name of varargs", Methods.class, it -> it.varargs("a", "b"), "x:[a, b]"),
                locked("a name of a projection", Methods.class, it -> it.projected(List.of(1, 2)), "x:[2, 3]:true"),
                locked("a tag that is called like a parameter", Methods.class, it -> it.ofATag("v"), "{sku}:v"),
                locked(
                        "a name of the bean's own properties, and of what only looks like one",
                        Methods.class,
                        it -> it.ofTheBean(Map.of("sku", "v"), List.of("a", "bb")),
                        "{x}:north:5:v:1:[2]"),
                locked("a name with a sharp in it", Methods.class, it -> it.sharp("a"), "#nobody and #one"),
                locked("by an interface", OfInterface.class, Shop.class, it -> it.sell("a"), "x:a"),
                locked("a default method", OfInterface.class, Shop.class, Shop::stock, "x"),
                locked("a record", OfRecord.class, Shop.class, it -> it.sell("a"), "x:a"),
                locked("of a generic interface", HandlesText.class, Handler.class, it -> handle(it, "a"), "x:a"),
                locked("in a generic interface", HandlesNumbers.class, LockedHandler.class, it -> handle(it, 1), "x:1"),
                locked("of a generic class", OfGeneric.class, it -> it.handle("a"), "x:a"),
                locked("one that returns a narrower type", OfGeneric.class, OfGeneric::made, "x"),
                locked("a bridge to a class that is hidden", Shown.class, Shown::sell, "x"),
                locked("an annotation of one's own", Composed.class, it -> it.sell("a"), "x:a"),
                locked("a target without the method", Makes.class, Shop.class, it -> it.sell("a"), "x:a"),
                locked("a proxy of the JDK", Makes.class, LockedHandler.class, it -> handle(it, 1), "x:1"),
                locked("a lazy bean", Makes.class, Methods.class, Methods::ofAll, "x"),
                locked("a prototype", Makes.class, Composed.class, it -> it.sell("a"), "x:a"),
                locked("a bean in a scope", Makes.class, Shown.class, Shown::sell, "x"),
                locked("a class", Whole.class, Whole::ofAll, "x"),
                locked("an inherited method of a class", InheritsWhole.class, Whole::ofAll, "x"),
                locked("a method of a class below", InheritsWhole.class, InheritsWhole::further, "x"),
                locked("one with its own lock in a class", InheritsWhole.class, Whole::own, "y"),
                locked("an interface", OfWholeShop.class, WholeShop.class, WholeShop::sell, "x"),
                locked("an interface of a repository", Makes.class, WholeShop.class, WholeShop::sell, "x"));
    }

    static Stream<Shape> leftAlone() {
        return Stream.of(
                locked("one of the package", Whole.class, Whole::ofThePackage),
                locked("a protected one", Whole.class, Whole::ofSubclasses),
                locked("toString", Whole.class, whole -> {
                    assertThat(whole).hasToString("told");
                    return whole.told();
                }));
    }

    @ParameterizedTest
    @MethodSource({"locked", "leftAlone"})
    void theLockIsHeldOrNone(Shape shape) {
        try (AnnotationConfigApplicationContext context = Applications.of(Client.class, shape.bean)) {
            assertThat(shape.call.apply(context)).isEqualTo(shape.held);
            assertThat(context.getBean(Belay.class).admin().holds()).isEmpty();
        }
    }

    /** As of the common pool, in an executable jar. */
    @Test
    void aThreadWhoseLoaderKnowsNoClassesMakesTheSameNames() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (AnnotationConfigApplicationContext context = Applications.of(Client.class, Methods.class)) {
            thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
            assertThat(context.getBean(Methods.class).ofAType("a")).containsExactly("x:a!");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void aFutureIsCarriedThoughTheMethodDoesNotTell() {
        try (AnnotationConfigApplicationContext context = Applications.of(Client.class, Methods.class)) {
            CompletableFuture<String> result = new CompletableFuture<>();
            Object told = context.getBean(Methods.class).made(result);
            assertThat(context.getBean(Belay.class).admin().holds()).hasSize(1);
            result.complete("done");
            assertThat(((CompletableFuture<?>) told).join()).isEqualTo("done");
            assertThat(context.getBean(Belay.class).admin().holds()).isEmpty();
        }
    }

    @Test
    void aResultThatGoesOnUntoldIsRefused() {
        try (AnnotationConfigApplicationContext context = Applications.of(Client.class, Methods.class)) {
            Methods methods = context.getBean(Methods.class);
            assertThatThrownBy(() -> methods.made(Stream.of(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Methods.made is @Locked and returned a java.util.stream.ReferencePipeline");
            assertThat(methods.made("done")).isEqualTo("done");
            assertThat(context.getBean(Belay.class).admin().holds()).isEmpty();
        }
    }

    /** Makes what only the leader may call, in the same way. */
    @Configuration
    @Import(Client.class)
    static class MakesLed {
        @Bean
        static LedShop led() {
            return Makes.made(LedShop.class);
        }
    }

    @Test
    void anInterfaceOfARepositoryIsForTheLeader() {
        try (AnnotationConfigApplicationContext context = Applications.of(MakesLed.class)) {
            LedShop shop = context.getBean(LedShop.class);
            await().ignoreException(NotLeaderException.class)
                    .until(() -> shop.sell().equals(List.of("shops")));
        }
    }
}
