package io.belay.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/** The condition that the locks are in the application's own database, as far as the properties and the class path say. */
final class LocksInDatabase implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Environment environment = context.getEnvironment();
        String chosen = environment.getProperty("belay.store", "");
        return StoreUrl.of(environment).isEmpty()
                && (chosen.equalsIgnoreCase("jdbc") || (chosen.isEmpty() && isAlone(context.getClassLoader())));
    }

    private static boolean isAlone(@Nullable ClassLoader loader) {
        return !ClassUtils.isPresent("io.belay.redis.Redis", loader)
                && !ClassUtils.isPresent("io.belay.mongodb.Mongo", loader);
    }
}
