package io.belay.shop;

import io.belay.BelayException;
import io.belay.shop.ledger.LedgerException;
import io.belay.support.UrlPasswords;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.web.server.PortInUseException;

/** The shop's web application: one node. {@link ShopSettings} says how it is set up. */
@SpringBootApplication
public class ShopApplication {
    private static final int UNUSABLE = 2;

    public static void main(String[] args) {
        try {
            SpringApplication shop = new SpringApplication(ShopApplication.class);
            shop.addListeners(new ParentWatch());
            shop.run(args);
        } catch (RuntimeException | Error e) {
            // Threads that were started already would keep a node alive that answers nobody.
            System.err.println("belay shop: " + UrlPasswords.mask(reason(e)));
            System.exit(UNUSABLE);
        }
    }

    /** The one line in a chain of causes that was written for the user; else the innermost, which says most. */
    static String reason(Throwable failure) {
        Throwable innermost = failure;
        String setting = "";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof PortInUseException) {
                return firstLine(cause) + ": set SERVER_PORT to another one, or to 0 for one that is free";
            }
            if (cause instanceof BindException bind) {
                setting = bind.getName().toString();
            }
            if (cause instanceof java.net.BindException) {
                return "SERVER_PORT or SERVER_ADDRESS: " + firstLine(cause);
            }
            if (isForUsers(cause)) {
                String line = firstLine(cause);
                return line.startsWith(setting) ? line : setting + ": " + line;
            }
            innermost = cause;
        }
        return (setting.isEmpty() ? innermost.getClass().getSimpleName() : setting) + ": " + firstLine(innermost);
    }

    private static boolean isForUsers(Throwable cause) {
        return cause instanceof BelayException
                || cause instanceof LedgerException
                || (cause instanceof IllegalArgumentException && cause.getCause() == null);
    }

    private static String firstLine(Throwable cause) {
        return String.valueOf(cause.getMessage()).lines().findFirst().orElse("it could not start");
    }
}
