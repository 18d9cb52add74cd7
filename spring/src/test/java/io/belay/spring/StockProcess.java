package io.belay.spring;

import io.belay.spring.ShopApplication.Kind;
import io.belay.spring.Stock.Point;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A process that sells a piece for each line that it reads, and waits at the point that the line names until it is told to go on. */
final class StockProcess {
    private static final BufferedReader INPUT = new BufferedReader(new InputStreamReader(System.in));

    private StockProcess() {}

    private static String read() {
        try {
            return INPUT.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void main(String[] arguments) {
        Point[] chosen = new Point[1];
        Stock.Points points = point -> {
            if (point == chosen[0]) {
                chosen[0] = null;
                System.out.println("here");
                read();
            }
        };
        try (AnnotationConfigApplicationContext application = StockApplication.start(
                arguments[0], arguments[1], Kind.valueOf(arguments[2]), Boolean.parseBoolean(arguments[3]), points)) {
            for (String line = read(); line != null; line = read()) {
                chosen[0] = Point.valueOf(line);
                System.out.println(sell(application.getBean(Stock.Facade.class)));
            }
        }
    }

    private static String sell(Stock.Facade facade) {
        try {
            return facade.sell() ? "sold" : "none left";
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName();
        }
    }
}
