package io.belay.trials.report;

import io.belay.trials.check.Violation;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import io.belay.trials.history.Hold;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** Draws who held a lock around a broken promise, and what was done to whom, as SVG. */
public final class Timeline {
    private static final int LEFT = 90;
    private static final int WIDTH = 1000;
    private static final int ROW = 34;
    private static final int TOP = 74;

    private final History history;
    private final Violation violation;
    private final long from;
    private final long to;
    private final List<String> processes;
    private final StringBuilder svg = new StringBuilder();

    private Timeline(History history, Violation violation, Duration lease) {
        this.history = history;
        this.violation = violation;
        from = violation.from() - 2 * lease.toNanos();
        to = Math.min(violation.to(), violation.from() + 4 * lease.toNanos()) + lease.toNanos() / 2;
        TreeSet<String> names = new TreeSet<>();
        holds().forEach(hold -> names.add(hold.process()));
        processes = new ArrayList<>(names);
    }

    /** Writes the drawing of a violation to a file. */
    public static void draw(History history, Violation violation, Duration lease, Path file) throws IOException {
        Files.writeString(file, new Timeline(history, violation, lease).svg());
    }

    private List<Hold> holds() {
        return history.holds().getOrDefault(violation.name(), List.of()).stream()
                .filter(hold -> hold.granted() < to && Math.min(hold.released(), hold.died()) > from)
                .toList();
    }

    private String svg() {
        int height = TOP + ROW * processes.size() + 40;
        add(
                "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif'"
                        + " font-size='11'>",
                LEFT + WIDTH + 20, height);
        add("<rect width='100%%' height='100%%' fill='white'/>");
        add(
                "<text x='10' y='18' font-size='14'>%s: %s</text>",
                escape(violation.name()), violation.rule().words());
        add("<text x='10' y='34'>%s</text>", escape(violation.text()));
        add("<text x='10' y='50' fill='#777'>blue: held; light blue: still at work, though not held any more;"
                + " yellow: kept after the release; grey: the process was stopped; red: the moment in question</text>");
        double start = x(violation.from());
        add(
                "<rect x='%.1f' y='%d' width='%.1f' height='%d' fill='#f66' fill-opacity='0.35'/>",
                start, TOP - 6, Math.max(2, x(Math.min(violation.to(), to)) - start), ROW * processes.size() + 6);
        for (int i = 0; i < processes.size(); i++) {
            add("<text x='10' y='%d'>process %s</text>", y(i) + 15, processes.get(i));
            pauses(processes.get(i), y(i));
        }
        kept();
        holds().forEach(this::bar);
        marks();
        scale(height - 14);
        return svg.append("</svg>\n").toString();
    }

    private void bar(Hold hold) {
        int y = y(processes.indexOf(hold.process()));
        long atWork = Math.min(Math.min(hold.released(), hold.died()), to);
        double x = x(Math.max(hold.granted(), from));
        if (hold.wasHeld()) {
            box(x, x(Math.min(hold.end(), to)), y, "#36c");
        }
        double over = x(Math.max(Math.min(hold.end(), to), Math.max(hold.granted(), from)));
        if (x(atWork) > over) {
            box(over, x(atWork), y, "#bcf");
        }
        if (hold.token() >= 0) {
            // The last digits: the first are the same for all.
            add("<text x='%.1f' y='%d' font-size='9'>…%09d</text>", x, y - 1, hold.token() % 1_000_000_000);
        }
    }

    /** Draws until when nobody was to have the lock after its release. */
    private void kept() {
        for (Event event : history.events(Type.KEPT)) {
            int row = processes.indexOf(event.process());
            if (event.name().equals(violation.name()) && row >= 0 && event.nanos() < to && event.value() > from) {
                box(x(Math.max(event.nanos(), from)), x(Math.min(event.value(), to)), y(row), "#fc6");
            }
        }
    }

    private void box(double x, double end, int y, String colour) {
        add("<rect x='%.1f' y='%d' width='%.1f' height='16' fill='%s'/>", x, y + 2, Math.max(1, end - x), colour);
    }

    private void pauses(String process, int y) {
        long since = Hold.NEVER;
        for (Event event : history.events(Type.PAUSE, Type.RESUME)) {
            if (!event.process().equals(process)) {
                continue;
            }
            if (event.type() == Type.PAUSE) {
                since = event.nanos();
            } else {
                stopped(since, event.nanos(), y);
                since = Hold.NEVER;
            }
        }
        stopped(since, to, y);
    }

    private void stopped(long since, long until, int y) {
        if (since < to && until > from) {
            double x = x(Math.max(since, from));
            add("<rect x='%.1f' y='%d' width='%.1f' height='24' fill='#ccc'/>", x, y - 2, x(Math.min(until, to)) - x);
        }
    }

    private void marks() {
        for (Event event : history.events(Type.KILL, Type.START, Type.STRIKE, Type.CALM, Type.LOST)) {
            boolean elsewhere = event.type() == Type.LOST && !event.name().equals(violation.name());
            if (event.nanos() < from || event.nanos() > to || elsewhere) {
                continue;
            }
            int row = processes.indexOf(event.process());
            int y = row < 0 ? TOP - 8 : y(row);
            String what = event.type().name().toLowerCase(Locale.ROOT)
                    + (event.type() == Type.STRIKE || event.type() == Type.CALM ? " " + event.name() : "");
            double x = x(event.nanos());
            add("<line x1='%.1f' x2='%.1f' y1='%d' y2='%d' stroke='#c00'/>", x, x, y, y + 20);
            add("<text x='%.1f' y='%d' font-size='9' fill='#c00'>%s</text>", x + 2, y + 26, escape(what));
        }
    }

    private void scale(int y) {
        for (long at = violation.from(); at < to; at += 500_000_000) {
            add("<text x='%.1f' y='%d' fill='#777'>%+d ms</text>", x(at), y, (at - violation.from()) / 1_000_000);
        }
    }

    private int y(int row) {
        return TOP + row * ROW;
    }

    private double x(long nanos) {
        return LEFT + (double) (nanos - from) / (to - from) * WIDTH;
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
