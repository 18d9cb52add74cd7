package io.belay.shop;

import java.util.Locale;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/**
 * The settings {@code belay.shop.store} (the URL of the locks' store; not needed without locks) and
 * {@code belay.shop.ledger} (the ledger's JDBC URL). They may hold passwords, so they belong neither among the
 * arguments, which all users of a machine can see, nor into Spring's hands: it would expand {@code ${NAME}} in
 * them, and then again in what it found. Here they stay as they were written, for those who open them to expand.
 */
final class ShopUrls {
    private final Binder binder;

    private ShopUrls(Binder binder) {
        this.binder = binder;
    }

    static ShopUrls of(Environment environment) {
        return new ShopUrls(new Binder(ConfigurationPropertySources.get(environment), PlaceholdersResolver.NONE));
    }

    String store() {
        return url("store", "the URL of the store of locks");
    }

    String ledger() {
        return url("ledger", "the ledger's JDBC URL");
    }

    private String url(String name, String what) {
        String url = binder.bind("belay.shop." + name, String.class).orElse("");
        if (url.isBlank()) {
            throw new IllegalArgumentException(
                    "belay.shop." + name + " (BELAY_SHOP_" + name.toUpperCase(Locale.ROOT) + ") is not set: " + what);
        }
        return url;
    }
}
