package io.belay.spring.boot.test;

import io.belay.spring.boot.BelayAutoConfiguration;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.aot.DisabledInAotMode;

/**
 * Keeps the locks of a test's application in memory, whatever store the application has: beans of the type {@code Belay} of its own
 * are replaced by clients of that store with Belay's own options, without a namespace. Each application context has a
 * store of its own, unless several name the same. Inside of the transaction that a test begins by {@code @Transactional} a lock
 * is held until that has ended, where an application's transaction would be refused. In a slice, such as {@code @DataJpaTest}, there
 * are the client and the locks by annotation, which slices leave out else. Ahead-of-time processing leaves the test out.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureTestLocks
 * class OrdersTest { ... }
 * }</pre>
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration(BelayAutoConfiguration.class)
@DisabledInAotMode("the store in memory is put in place as the context is made")
public @interface AutoConfigureTestLocks {
    /** Returns the name of the store, which application contexts of the same name share; by default one of its own. */
    String value() default "";
}
