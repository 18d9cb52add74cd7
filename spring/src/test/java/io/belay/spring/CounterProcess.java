package io.belay.spring;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A process that counts once, and waits at a point of its transaction until it is told to go on. */
final class CounterProcess {
    private static final BufferedReader INPUT = new BufferedReader(new InputStreamReader(System.in));

    private CounterProcess() {}

    private static void hold() {
        System.out.println("here");
        try {
            INPUT.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void main(String[] arguments) {
        boolean atTheBegin = arguments[2].equals("begun");
        Counter.Points points = new Counter.Points() {
            @Override
            public void begun() {
                if (atTheBegin) {
                    hold();
                }
            }

            @Override
            public void checked() {
                if (!atTheBegin) {
                    hold();
                }
            }
        };
        try (AnnotationConfigApplicationContext application = Counter.start(arguments[0], arguments[1], points)) {
            System.out.println("left " + application.getBean(Counter.class).count());
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName());
        }
    }
}
