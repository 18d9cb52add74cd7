package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.spring.Locked.InTransaction;
import io.belay.spring.Locked.Otherwise;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.Type;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Scope;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What cannot be locked, or is written wrongly, fails the start with one line, and nothing connects for it. */
class RefusedShapesTest {
    private static final AtomicInteger CONNECTED = new AtomicInteger();

    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class Client {
        /** Lazy, so that it connects when it is used first. */
        @Bean
        @Lazy
        static Belay belay() {
            CONNECTED.incrementAndGet();
            return Belay.connect("memory:refused");
        }

        @Bean
        static String text() {
            return "no client";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class None {}

    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class Two {
        @Bean(destroyMethod = "close")
        static Belay one() {
            return Belay.connect("memory:refused");
        }

        @Bean(destroyMethod = "close")
        static Belay other() {
            return Belay.connect("memory:refused");
        }
    }

    /** As where all beans are lazy but those that Spring schedules. */
    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class TwoLazy {
        @Bean
        @Lazy
        static Belay one() {
            throw new AssertionError("nobody says that it is meant");
        }

        @Bean
        @Lazy
        static Belay other() {
            throw new AssertionError("nobody says that it is meant");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class TwoPrimary {
        @Bean
        @Primary
        static Belay one() {
            return Belay.connect("memory:refused");
        }

        @Bean
        @Primary
        static Belay other() {
            return Belay.connect("memory:refused");
        }
    }

    /** As where a configuration that others share has settings, too. */
    @Configuration(proxyBeanMethods = false)
    static class TwoDefaults extends Client {
        @Bean
        static LockedDefaults own() {
            return LockedDefaults.standard();
        }

        @Bean
        static LockedDefaults shared() {
            return LockedDefaults.standard();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class LongNamespace {
        @Bean
        static Belay client() {
            return Belay.connect("memory:refused");
        }

        @Bean
        @Primary
        static Belay belay(@Qualifier("client") Belay client) {
            return client.namespace("n".repeat(300));
        }
    }

    static class Fine {
        @Locked("x")
        public void sell() {}
    }

    static class Final {
        @Locked("x")
        public final void sell() {}
    }

    static class Private {
        @Locked("x")
        private void sell() {}

        void use() {
            sell();
        }
    }

    static class PostConstructed {
        @Locked("x")
        @PostConstruct
        void load() {
            throw new AssertionError("it runs without the lock");
        }
    }

    static class Initializing implements InitializingBean {
        @Override
        @LeaderOnly("x")
        public void afterPropertiesSet() {
            throw new AssertionError("it runs without the lead");
        }
    }

    static class Inherited {
        @Locked("x")
        public void afterPropertiesSet() {
            throw new AssertionError("it runs without the lock");
        }
    }

    /** Makes of what it inherits a method that Spring calls. */
    static class InheritsIt extends Inherited implements InitializingBean {}

    static class Loads {
        @Locked("x")
        public void load() {
            throw new AssertionError("it runs without the lock");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NamesItsLoad {
        @Bean(initMethod = "load")
        static Loads loads() {
            return new Loads();
        }
    }

    static class PreDestroyed {
        @Locked("x")
        @PreDestroy
        public void save() {}
    }

    static class Disposable implements DisposableBean {
        @Override
        @Locked("x")
        public void destroy() {}
    }

    static class Closes {
        @Locked("x")
        public void close() {}
    }

    static class ShutsDown {
        @LeaderOnly("y")
        public void shutdown() {}
    }

    /** Spring takes the one for the end of the bean, and not the other. */
    static class ClosesToo extends ShutsDown {
        public void close() {}
    }

    static class Closeable implements AutoCloseable {
        @Override
        @Locked("x")
        public void close() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class MakesACloses {
        @Bean
        static Closes closes() {
            return new Closes();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MakesAShutsDown {
        @Bean
        static ShutsDown shutsDown() {
            return new ShutsDown();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EndsNone {
        @Bean
        static ClosesToo closesToo() {
            return new ClosesToo();
        }

        @Bean(destroyMethod = "")
        static Closes named() {
            return new Closes();
        }

        @Bean
        @Scope("prototype")
        static Closeable prototype() {
            return new Closeable();
        }
    }

    /** What makes it ready is none of what others call. */
    @Locked("x")
    static class LockedClass implements InitializingBean {
        private boolean ready;

        @Override
        public void afterPropertiesSet() {
            ready = true;
        }

        public boolean isReady() {
            return ready;
        }
    }

    static class Static {
        @Locked("x")
        public static void sell() {}
    }

    @Locked("x")
    static class FinalOfAClass {
        public final void sell() {}
    }

    @Locked("x")
    static class StaticOfAClass {
        public static void sell() {}
    }

    static class BehindAnInterface implements Runnable {
        @Override
        public void run() {}

        @Locked("x")
        public void sell() {}
    }

    static final class FinalClass {
        @Locked("x")
        public void sell() {}
    }

    static class Nameless {
        @Locked({})
        public void sell() {}
    }

    static class Empty {
        @Locked("")
        public void sell() {}
    }

    static class Unclosed {
        @Locked("x:#{#sku")
        public void sell(String sku) {}
    }

    static class Nonsense {
        @Locked("x:#{#sku +}")
        public void sell(String sku) {}
    }

    static class Misspelt {
        @Locked("x:#{#skv}")
        public void sell(String sku) {}
    }

    static class NoParameters {
        @Locked("x:#{#sku}")
        public void sell() {}
    }

    static class Bare {
        @Locked("x:#sku")
        public void sell(String sku) {}
    }

    static class WithoutASharp {
        @Locked("x:#{sku}")
        public void sell(String sku) {}
    }

    static class InBraces {
        @Locked("x:{sku}")
        public void sell(String sku) {}
    }

    static class AsAProperty {
        @Locked("x:${sku}")
        public void sell(String sku) {}
    }

    /** As expressions of Spring's caches are written. */
    static class OfArguments {
        @Locked("x:#{#root.args[0]}")
        public void sell(String sku) {}
    }

    static class OfTheMethod {
        @Locked("x:#{'of ' + #root.methodName.length()}")
        public void sell() {}
    }

    static class NoBean {
        @Locked("x:#{@shops.name}")
        public void sell() {}
    }

    static class NoPropertyOfALeader {
        @LeaderOnly("${belay.test.nothing}")
        public void sell() {}
    }

    static class NamelessLeader {
        @LeaderOnly("")
        public void sell() {}
    }

    static class UnnameableLeader {
        @LeaderOnly("two\nlines")
        public void sell() {}
    }

    static class LeaderOfNoClient {
        @LeaderOnly(value = "x", belay = "locks")
        public void sell() {}
    }

    static class LongNamedLeader {
        private static final String FIFTY = "A name that is as long as half of all may be......";
        static final String NAME = FIFTY + FIFTY + FIFTY + FIFTY + FIFTY + FIFTY;

        @LeaderOnly(NAME)
        public void sell() {}
    }

    static class OtherLeader {
        @LeaderOnly("y")
        public void sell() {}
    }

    static class Leader {
        @LeaderOnly("x")
        public void sell() {}
    }

    static class NoProperty {
        @Locked("x:${belay.test.nothing}")
        public void sell() {}
    }

    static class OfNoClient {
        @Locked(value = "x", belay = "locks")
        public void sell() {}
    }

    static class OfText {
        @Locked(value = "x", belay = "text")
        public void sell() {}
    }

    static class Wait {
        @Locked(value = "x", longestWait = "a while")
        public void sell() {}
    }

    static class BareWait {
        @Locked(value = "x", longestWait = "10")
        public void sell() {}
    }

    static class NegativeWait {
        @Locked(value = "x", longestWait = "-1s")
        public void sell() {}
    }

    static class Lease {
        @Locked(value = "x", lease = "short")
        public void sell() {}
    }

    static class ShortLease {
        @Locked(value = "x", lease = "1ms")
        public void sell() {}
    }

    static class MaxHold {
        @Locked(value = "x", maxHold = "0s")
        public void sell() {}
    }

    static class AtLeast {
        @Locked(value = "x", atLeast = "some")
        public void sell() {}
    }

    static class Primitive {
        @Locked(value = "x", otherwise = Otherwise.SKIP)
        public int sell() {
            return 1;
        }
    }

    @Locked(value = "x", otherwise = Otherwise.SKIP)
    static class PrimitiveOfAClass {
        public int sell() {
            return 1;
        }
    }

    static class LaterInTransaction {
        @Locked(value = "x", inTransaction = InTransaction.HOLD_UNTIL_COMPLETION)
        public Mono<String> sell() {
            return null;
        }
    }

    static class ReturnsCallable {
        @Locked("x")
        public Callable<String> sell() {
            return null;
        }
    }

    static class ReturnsFuture {
        @Locked("x")
        public Future<String> sell() {
            return null;
        }
    }

    static class ReturnsStream {
        @Locked("x")
        public Stream<String> sell() {
            return null;
        }
    }

    static class ReturnsIntStream {
        @Locked("x")
        public IntStream sell() {
            return null;
        }
    }

    static class ReturnsDeferredResult {
        @Locked("x")
        public DeferredResult<String> sell() {
            return null;
        }
    }

    static class ReturnsWebAsyncTask {
        @Locked("x")
        public WebAsyncTask<String> sell() {
            return null;
        }
    }

    static class ReturnsStreamingResponseBody {
        @Locked("x")
        public StreamingResponseBody sell() {
            return null;
        }
    }

    static class ReturnsSseEmitter {
        @Locked("x")
        public SseEmitter sell() {
            return null;
        }
    }

    static class ReturnsABody {
        @Locked("x")
        public ResponseEntity<StreamingResponseBody> sell() {
            return null;
        }
    }

    static class ReturnsPerhapsAStream {
        @Locked("x")
        public Optional<Stream<String>> sell() {
            return null;
        }
    }

    static class ReturnsFutures {
        @Locked("x")
        public List<CompletableFuture<String>> sell() {
            return null;
        }
    }

    static class ReturnsAFlux {
        @Locked("x")
        public Mono<ResponseEntity<Flux<String>>> sell() {
            return null;
        }
    }

    static class ReturnsAStreamLater {
        @Locked("x")
        public CompletableFuture<Stream<String>> sell() {
            return null;
        }
    }

    static class ReturnsItsOwn {
        @Locked("x")
        public OwnFuture sell() {
            return new OwnFuture();
        }
    }

    static class ReturnsWhatItIsOf extends Returns<Stream<String>> {}

    static class OwnFuture extends CompletableFuture<String> {}

    static class Returns<T> {
        @Locked("x")
        public T sell() {
            return null;
        }
    }

    static class LeadsAFuture {
        @LeaderOnly(value = "x", otherwise = Otherwise.THROW)
        public CompletableFuture<String> sell() {
            return null;
        }
    }

    static class LeadsAMono {
        @LeaderOnly("x")
        public Mono<Void> sell() {
            return null;
        }
    }

    @LeaderOnly(value = "x", otherwise = Otherwise.THROW)
    static class LeadsAFlux {
        public Flux<String> sell() {
            return null;
        }
    }

    static class LeadsAStream {
        @LeaderOnly("x")
        public Optional<Stream<String>> sell() {
            return null;
        }
    }

    static class UnguardedMono {
        @Unguarded
        public Mono<Void> sell() {
            return null;
        }
    }

    @Unguarded
    static class UnguardedFlux {
        public Flux<String> sell() {
            return null;
        }
    }

    private static Arguments refused(Class<?> client, Class<?> bean, String... why) {
        return Arguments.of(client, bean, List.of(why));
    }

    private static Arguments refusedLeader(Class<?> bean) {
        return refused(
                Client.class,
                bean,
                "@LeaderOnly at ",
                bean.getSimpleName() + ".sell cannot be: nothing would look at the lead when what it returns is done");
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                refused(Client.class, Final.class, "Final.sell has no effect: the method is final", "drop the final"),
                refused(Client.class, Private.class, "private: make it public"),
                refused(
                        Client.class,
                        PostConstructed.class,
                        "@Locked at ",
                        "PostConstructed.load has no effect: the method is called by Spring when the bean is made",
                        "@EventListener(ApplicationReadyEvent.class)"),
                refused(
                        Client.class,
                        Initializing.class,
                        "@LeaderOnly at ",
                        "Initializing.afterPropertiesSet has no effect: the method is called by Spring when the bean is made",
                        "make it @Locked, as who leads is told too late for a start, and have an ApplicationRunner"),
                refused(
                        Client.class,
                        InheritsIt.class,
                        "InheritsIt.afterPropertiesSet has no effect",
                        "ApplicationRunner"),
                refused(Client.class, NamesItsLoad.class, "Loads.load has no effect", "ApplicationRunner"),
                refused(Client.class, PreDestroyed.class, "PreDestroyed.save has no effect", "ContextClosedEvent"),
                refused(Client.class, Disposable.class, "Disposable.destroy has no effect", "ContextClosedEvent"),
                refused(Client.class, MakesACloses.class, "Closes.close has no effect", "ContextClosedEvent"),
                refused(Client.class, MakesAShutsDown.class, "ShutsDown.shutdown has no effect", "ContextClosedEvent"),
                refused(Client.class, Closeable.class, "Closeable.close has no effect", "ContextClosedEvent"),
                refused(Client.class, Static.class, "static: make it a method of the bean"),
                refused(
                        Client.class,
                        FinalOfAClass.class,
                        "@Locked on the class has no effect at",
                        "FinalOfAClass.sell: the method is final"),
                refused(Client.class, StaticOfAClass.class, "@Locked on the class has no effect at", "is static"),
                refused(Client.class, BehindAnInterface.class, "proxyTargetClass = true"),
                refused(
                        Client.class,
                        FinalClass.class,
                        "FinalClass cannot be: no proxy can stand before the bean",
                        "give it an interface",
                        "Could not generate CGLIB subclass of class"),
                refused(Client.class, Nameless.class, "it names no lock"),
                refused(Client.class, Empty.class, "its name is empty"),
                refused(Client.class, Unclosed.class, "is no template: Expression [x:#{#sku] @2: No ending suffix"),
                refused(Client.class, Nonsense.class, "is no template"),
                refused(
                        Client.class,
                        Misspelt.class,
                        "'x:#{#skv}' is made of #skv, which is no parameter: there is #a0, #p0, #sku"),
                refused(Client.class, NoParameters.class, "which is no parameter: there is none"),
                refused(
                        Client.class,
                        Bare.class,
                        "'x:#sku' is the same for all calls: write #{#sku} for the parameter"),
                refused(
                        Client.class,
                        WithoutASharp.class,
                        "'x:#{sku}' is made of sku, which is no property of the bean's class WithoutASharp: write #{#sku} for"
                                + " the parameter"),
                refused(
                        Client.class,
                        InBraces.class,
                        "'x:{sku}' is the same for all calls: write #{#sku} for the parameter"),
                refused(
                        Client.class,
                        AsAProperty.class,
                        "there is no property for 'x:${sku}': write #{#sku} for the parameter"),
                refused(
                        Client.class,
                        OfArguments.class,
                        "is made of args, which is no property of the bean's class OfArguments (a bean is @args); of the call"
                                + " there is #a0, #p0, #sku"),
                refused(Client.class, OfTheMethod.class, "is made of methodName", "of the call there is nothing"),
                refused(Client.class, NoBean.class, "is made of the bean 'shops', which is not there"),
                refused(Client.class, NoProperty.class, "belay.test.nothing"),
                refused(Client.class, NoPropertyOfALeader.class, "there is no property for '${belay.test.nothing}'"),
                refused(Client.class, NamelessLeader.class, "NamelessLeader.sell cannot be: its name is empty"),
                refused(
                        Client.class,
                        UnnameableLeader.class,
                        "UnnameableLeader.sell cannot be: its name has a control character"),
                refused(
                        Client.class,
                        LeaderOfNoClient.class,
                        "LeaderOfNoClient.sell cannot be: there is no bean 'locks' of the type Belay"),
                refused(None.class, Leader.class, "Leader.sell cannot be: there is no bean of the type Belay"),
                refused(
                        Two.class,
                        Leader.class,
                        "Leader.sell cannot be: there are several beans of the type Belay",
                        "one,other"),
                refused(
                        TwoLazy.class,
                        Leader.class,
                        "Leader.sell cannot be: there are several beans of the type Belay",
                        "one,other"),
                refused(
                        LongNamespace.class,
                        LongNamedLeader.class,
                        "LongNamedLeader.sell cannot be: The lock's name has 601 bytes, namespaces included"),
                refused(Client.class, OfNoClient.class, "there is no bean 'locks' of the type Belay"),
                refused(Client.class, OfText.class, "there is no bean 'text' of the type Belay"),
                refused(Client.class, Wait.class, "its longestWait is no duration such as 5s: 'a while'"),
                refused(Client.class, BareWait.class, "its longestWait has no unit: write 10ms or 10s"),
                refused(Client.class, NegativeWait.class, "its longestWait is negative: '-1s'"),
                refused(Client.class, Lease.class, "its lease is no duration such as 5s: 'short'"),
                refused(Client.class, ShortLease.class, "Lease.sell cannot be: lease is PT0.001S, but must"),
                refused(Client.class, MaxHold.class, "MaxHold.sell cannot be: maxHold is PT0S, but must"),
                refused(Client.class, AtLeast.class, "its atLeast is no duration such as 5s: 'some'"),
                refused(Client.class, Primitive.class, "a skipped call has no int to return"),
                refused(
                        Client.class,
                        PrimitiveOfAClass.class,
                        "PrimitiveOfAClass.sell cannot be: a skipped call has no int"),
                refused(Client.class, LaterInTransaction.class, "is for methods that return when they are done"),
                refused(
                        Client.class,
                        ReturnsCallable.class,
                        "ReturnsCallable.sell cannot be: nobody tells when the Callable that it returns is done"),
                refused(
                        Client.class,
                        ReturnsFuture.class,
                        "ReturnsFuture.sell cannot be: nobody tells when the Future that it returns is done"),
                refused(
                        Client.class,
                        ReturnsStream.class,
                        "ReturnsStream.sell cannot be: nobody tells when the Stream that it returns is done"),
                refused(
                        Client.class,
                        ReturnsIntStream.class,
                        "ReturnsIntStream.sell cannot be: nobody tells when the IntStream that it returns is done"),
                refused(
                        Client.class,
                        ReturnsDeferredResult.class,
                        "ReturnsDeferredResult.sell cannot be: nobody tells when the DeferredResult that it returns is done"),
                refused(
                        Client.class,
                        ReturnsWebAsyncTask.class,
                        "ReturnsWebAsyncTask.sell cannot be: nobody tells when the WebAsyncTask that it returns is done"),
                refused(
                        Client.class,
                        ReturnsStreamingResponseBody.class,
                        "ReturnsStreamingResponseBody.sell cannot be: nobody tells when the StreamingResponseBody that it returns is done"),
                refused(
                        Client.class,
                        ReturnsSseEmitter.class,
                        "ReturnsSseEmitter.sell cannot be: nobody tells when the SseEmitter that it returns is done"),
                refused(
                        Client.class,
                        ReturnsABody.class,
                        "nobody tells when the StreamingResponseBody that it returns is done"),
                refused(
                        Client.class,
                        ReturnsPerhapsAStream.class,
                        "nobody tells when the Stream that it returns is done"),
                refused(
                        Client.class,
                        ReturnsFutures.class,
                        "nobody tells when the CompletableFuture that it returns is done"),
                refused(Client.class, ReturnsAFlux.class, "nobody tells when the Flux that it returns is done"),
                refused(
                        Client.class,
                        ReturnsAStreamLater.class,
                        "nobody tells when the Stream that it returns is done"),
                refused(Client.class, ReturnsItsOwn.class, "nobody tells when the OwnFuture that it returns is done"),
                refused(Client.class, ReturnsWhatItIsOf.class, "nobody tells when the Stream that it returns is done"),
                refused(Client.class, LaunchingSale.class, "nobody tells when the Job that it returns is done"),
                refusedLeader(LaunchingLeader.class),
                refusedLeader(LeadsAFuture.class),
                refusedLeader(LeadsAMono.class),
                refusedLeader(LeadsAFlux.class),
                refusedLeader(LeadsAStream.class),
                refusedLeader(SuspendingLeader.class),
                refusedLeader(FlowingLeader.class),
                refused(Client.class, UnguardedMono.class, "UnguardedMono.sell cannot be: a lost lock cancels"),
                refused(Client.class, UnguardedFlux.class, "UnguardedFlux.sell cannot be: a lost lock cancels"),
                refused(None.class, Fine.class, "Fine.sell cannot be: there is no bean of the type Belay"),
                refused(
                        Two.class,
                        Fine.class,
                        "there are several beans of the type Belay, name one by belay",
                        "one,other"),
                refused(
                        TwoPrimary.class,
                        Fine.class,
                        "Fine.sell cannot be: there are several beans of the type Belay, name one by belay",
                        "more than one 'primary' bean found among candidates: [one, other]"),
                refused(
                        TwoDefaults.class,
                        Fine.class,
                        "Fine.sell cannot be: there are several beans of the type LockedDefaults",
                        "own,shared"));
    }

    /** As those of the JDK's own classes, which are compiled so. */
    @Test
    void namesThatAreMadeOfParametersWithoutNamesAreRefusedAsWell() throws NoSuchMethodException {
        Method method = String.class.getMethod("concat", String.class);
        assertThatThrownBy(() -> new NameTemplate("x:#sku", method, String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the name 'x:#sku' is the same for all calls: write #{#p0} for the first parameter (to have"
                        + " parameters by their names, compile with -parameters)");
        assertThatThrownBy(() -> new NameTemplate("x:#{#sku}", method, String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(
                        "there is #a0, #p0 (to have parameters by their names, compile with -parameters)");
        assertThat(new NameTemplate("x#1:#{#p0}", method, String.class)).hasToString("x#1:#{#p0}");
        assertThat(new NameTemplate("x:#sku", String.class.getMethod("strip"), String.class))
                .hasToString("x:#sku");
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("refused")
    void theStartFailsWithOneLine(Class<?> client, Class<?> bean, List<String> why) {
        int before = CONNECTED.get();
        assertRefused(() -> Applications.of(client, bean).close(), why);
        assertThat(CONNECTED).hasValue(before);
    }

    private static void assertRefused(ThrowingCallable start, List<String> why) {
        assertThatThrownBy(start).satisfies(failure -> {
            Throwable refusal = failure;
            while (refusal.getCause() != null && !isOurs(refusal)) {
                refusal = refusal.getCause();
            }
            assertThat(refusal).isInstanceOf(IllegalStateException.class);
            assertThat(isOurs(refusal)).isTrue();
            assertThat(refusal.getMessage()).contains(why).doesNotContain("\n");
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {Leader.class, Fine.class})
    void clientsOfAParentAreLookedAtLikeItsOwn(Class<?> bean) {
        try (AnnotationConfigApplicationContext parent = Applications.of(Two.class)) {
            assertRefused(
                    () -> inside(parent, bean).close(),
                    List.of(".sell cannot be: there are several beans of the type Belay", "one,other"));
        }
    }

    private static AnnotationConfigApplicationContext inside(AnnotationConfigApplicationContext parent, Class<?> bean) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.setParent(parent);
        context.register(LockedConfiguration.class, bean);
        context.refresh();
        return context;
    }

    /** Else it would fail each start from then on, though its bean was never there. */
    @Test
    void aLazyBeanThatIsRefusedIsNoCandidateAtTheNextStart() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(LongNamespace.class, OtherLeader.class);
            context.registerBean(LongNamedLeader.class, definition -> definition.setLazyInit(true));
            context.refresh();
            assertThatThrownBy(() -> context.getBean(LongNamedLeader.class))
                    .hasMessageContaining("LongNamedLeader.sell cannot be: ");
            context.stop();
            context.start();
            await().until(() -> context.getBean(Leaderships.class)
                    .lease(new Leaderships.Key("", "y"))
                    .isPresent());
        }
    }

    public static class OfThePackage {
        @Locked("x")
        void sell() {}
    }

    /** Makes a class of another package that inherits from one, and adds nothing. */
    private static Class<?> elsewhere(Class<?> above) {
        ClassWriter made = new ClassWriter(0);
        made.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "elsewhere/Inherits", null, Type.getInternalName(above), null);
        MethodVisitor constructor = made.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
        constructor.visitVarInsn(Opcodes.ALOAD, 0);
        constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, Type.getInternalName(above), "<init>", "()V", false);
        constructor.visitInsn(Opcodes.RETURN);
        constructor.visitMaxs(1, 1);
        byte[] bytes = made.toByteArray();
        return new ClassLoader(above.getClassLoader()) {
            Class<?> made() {
                return defineClass("elsewhere.Inherits", bytes, 0, bytes.length);
            }
        }.made();
    }

    /** A proxy is of the package of its bean's class, and so cannot override it. */
    @Test
    void aMethodThatOnlyItsOwnPackageKnowsIsRefusedInABeanOfAnother() {
        Class<?> bean = elsewhere(OfThePackage.class);
        assertThatThrownBy(() -> {
                    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
                        context.setClassLoader(bean.getClassLoader());
                        context.register(Client.class, bean);
                        context.refresh();
                    }
                })
                .rootCause()
                .hasMessageContaining("@Locked at ")
                .hasMessageContaining(
                        "Inherits.sell has no effect: the method is known to its own package alone, which is not that of the bean")
                .hasMessageEndingWith("make it public or protected");
    }

    private static boolean isOurs(Throwable refusal) {
        return String.valueOf(refusal.getMessage()).matches("@(Locked|LeaderOnly|Unguarded) .*");
    }

    /** Also a bean that is made later, or a property that a configurer demands. */
    @Test
    void aLazyBeanIsCheckedWhenItIsMade() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(Client.class);
            context.registerBean(PropertySourcesPlaceholderConfigurer.class);
            context.registerBean(NoBean.class, definition -> definition.setLazyInit(true));
            context.registerBean(NoProperty.class, definition -> definition.setLazyInit(true));
            context.registerBean(LeaderOfNoClient.class, definition -> definition.setLazyInit(true));
            context.refresh();
            assertThatThrownBy(() -> context.getBean(NoBean.class)).rootCause().hasMessageContaining("'shops'");
            assertThatThrownBy(() -> context.getBean(NoProperty.class))
                    .hasMessageContaining("NoProperty.sell cannot be: ")
                    .hasMessageContaining("belay.test.nothing");
            assertThatThrownBy(() -> context.getBean(LeaderOfNoClient.class))
                    .hasMessageContaining("LeaderOfNoClient.sell cannot be: there is no bean 'locks'");
        }
    }

    @Test
    void aClassWithTheAnnotationMayHaveAnInitMethod() {
        try (AnnotationConfigApplicationContext context = Applications.of(Client.class, LockedClass.class)) {
            assertThat(context.getBean(LockedClass.class).isReady()).isTrue();
        }
    }

    /** A class that is no bean's end by itself, as one of a component, may have a method of such a name, too. */
    @Test
    void methodsThatSpringDoesNotTakeForTheEndOfABeanMayBeLocked() {
        try (AnnotationConfigApplicationContext context = Applications.of(Client.class, EndsNone.class, Closes.class)) {
            context.getBean("named", Closes.class).close();
            context.getBean(Closeable.class).close();
        }
    }

    /** None of them has been made at the start. */
    @Test
    void whichOfSeveralLazyClientsIsMeantIsAskedOfTheMethodAtItsFirstCall() {
        try (AnnotationConfigApplicationContext context = Applications.of(TwoLazy.class, Fine.class)) {
            assertRefused(
                    context.getBean(Fine.class)::sell,
                    List.of(
                            "@Locked at ",
                            "Fine.sell cannot be: there are several beans of the type Belay",
                            "one,other"));
        }
    }

    @Test
    void whatIsFineConnectsAtTheFirstCall() {
        int before = CONNECTED.get();
        try (AnnotationConfigApplicationContext context = Applications.of(Client.class, Fine.class)) {
            assertThat(CONNECTED).hasValue(before);
            context.getBean(Fine.class).sell();
            assertThat(CONNECTED).hasValue(before + 1);
        }
    }
}
