package io.belay.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.ConverterNotFoundException;
import org.springframework.util.PlaceholderResolutionException;

/**
 * Lets an application start under {@code belay run}, which tells the lock's name by the variable BELAY_LOCK: Spring takes that for
 * a value of {@code belay.lock}, which has values below it alone. What is wrong with placeholders of {@code belay.url} is left to
 * {@link StoreUrl}, as Spring Boot would print the value, and so a password. Where {@code belay.store} names another kind of store
 * than those that it chooses from, the start says by what that is named.
 */
final class LockNameHandler extends AbstractBindHandler {
    private static final ConfigurationPropertyName LOCK = ConfigurationPropertyName.of("belay.lock");
    private static final ConfigurationPropertyName STORE = ConfigurationPropertyName.of("belay.store");
    private static final ConfigurationPropertyName URL = ConfigurationPropertyName.of("belay.url");

    LockNameHandler(BindHandler parent) {
        super(parent);
    }

    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) throws Exception {
        if (name.equals(STORE) && error instanceof ConversionException) {
            throw new SetupException(
                    "The property belay.store names none of the stores that an application may have by itself.",
                    "Set it to redis, jdbc or mongodb, or remove it and set belay.url, by which any other store is named.");
        }
        // Where something is set below, it has been taken, or its own failure comes here.
        if ((name.equals(LOCK) && error instanceof ConverterNotFoundException)
                || (name.equals(URL) && error instanceof PlaceholderResolutionException)) {
            return null;
        }
        return super.onFailure(name, target, context, error);
    }
}
