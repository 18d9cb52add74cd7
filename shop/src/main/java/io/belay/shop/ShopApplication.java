package io.belay.shop;

import io.belay.BelayException;
import io.belay.shop.ledger.LedgerException;
import java.net.BindException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The shop's web application: one node. {@link ShopSettings} says how it is set up. */
@SpringBootApplication
public class ShopApplication {
    private static final int UNUSABLE = 2;

    public static void main(String[] args) {
        try {
            SpringApplication.run(ShopApplication.class, args);
        } catch (RuntimeException e) {
            System.err.println("belay shop: " + Urls.mask(reason(e)));
            System.exit(UNUSABLE);
        }
    }

    /** The one line in a chain of causes that was written for the user; else the innermost, which says most. */
    private static String reason(Throwable failure) {
        Throwable told = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            told = cause;
            if (cause instanceof BelayException
                    || cause instanceof LedgerException
                    || (cause instanceof IllegalArgumentException && cause.getCause() == null)
                    || cause instanceof BindException) {
                break;
            }
        }
        return String.valueOf(told.getMessage()).lines().findFirst().orElse("it could not start");
    }
}
