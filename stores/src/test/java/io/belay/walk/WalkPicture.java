package io.belay.walk;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** A picture of a walk: a row for each class, by floors, and from left to right the calls, joined by a line. */
final class WalkPicture {
    private static final List<String> FLOORS = List.of(
            "io.belay.",
            "io.belay.internal.",
            "io.belay.internal.primitive.",
            "io.belay.internal.gate.",
            "io.belay.internal.claim.",
            "io.belay.internal.machine.",
            "io.belay.internal.time.",
            "io.belay.internal.jfr.",
            "io.belay.memory.",
            "io.belay.spi.",
            "io.belay.support.");

    private static final List<String> NAMES =
            List.of("API", "client", "primitive", "gate", "claim", "machine", "time", "jfr", "store", "spi", "support");

    private static final String[] COLOURS = {"#1f6f8b", "#c0562f", "#5b8c3a", "#7a4b9a", "#8a7a1f"};
    private static final String DARK = "<style>@media (prefers-color-scheme: dark) { rect { fill: #161b22; }"
            + " text:not([fill]) { fill: #d7e3ef; } [stroke=\"#eee\"] { stroke: #30363d; } }</style>";
    private static final int LEFT = 210;
    private static final int WIDTH = 790;
    private static final int ROW = 14;
    private static final int TOP = 40;

    private static final Pattern ROW_OF = Pattern.compile("<text x=\"75\"[^>]*>([^<]*)<");

    private WalkPicture() {}

    static String of(String name, Walk walk) {
        Map<String, Integer> rows = rows(walk);
        int height = TOP + (rows.size() + FLOORS.size()) * ROW;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1020 %d\" font-family=\"sans-serif\""
                        + " font-size=\"11\">%n" + DARK + "%n<rect width=\"1020\" height=\"%d\" fill=\"white\"/>%n"
                        + "<text x=\"10\" y=\"20\" font-size=\"15\">%s: %d classes</text>%n",
                height,
                height,
                name,
                walk.classes()));
        rows.forEach((type, y) -> svg.append(row(type, y)));
        int number = 0;
        for (String thread : walk.threads().stream().sorted().toList()) {
            svg.append(line(walk, thread, rows, COLOURS[number % COLOURS.length], number));
            number++;
        }
        return svg.append("</svg>\n").toString();
    }

    private static int floor(String type) {
        return FLOORS.indexOf(type.substring(0, type.lastIndexOf('.') + 1));
    }

    /** Returns how far down the row of each class is: by floor, and there by the order of the first calls. */
    private static Map<String, Integer> rows(Walk walk) {
        Map<String, Integer> rows = new LinkedHashMap<>();
        int y = TOP;
        for (int floor = 0; floor < FLOORS.size(); floor++) {
            int here = floor;
            List<String> types = walk.calls().stream()
                    .map(Walk.Call::type)
                    .distinct()
                    .filter(type -> floor(type) == here)
                    .toList();
            for (String type : types) {
                y += ROW;
                rows.put(type, y);
            }
            y += types.isEmpty() ? 0 : ROW;
        }
        return rows;
    }

    /** Returns the classes that a picture shows. */
    static List<String> types(String picture) {
        return ROW_OF.matcher(picture).results().map(row -> row.group(1)).toList();
    }

    private static String row(String type, int y) {
        return String.format(
                Locale.ROOT,
                "<text x=\"10\" y=\"%d\" fill=\"#888\">%s</text><text x=\"75\" y=\"%d\">%s</text>"
                        + "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#eee\"/>%n",
                y + 4,
                NAMES.get(floor(type)),
                y + 4,
                type.substring(type.lastIndexOf('.') + 1),
                LEFT,
                LEFT + WIDTH,
                y,
                y);
    }

    private static String line(Walk walk, String thread, Map<String, Integer> rows, String colour, int number) {
        StringBuilder points = new StringBuilder();
        List<Walk.Call> calls = walk.calls();
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).thread().equals(thread)) {
                double x = LEFT + (double) i * WIDTH / Math.max(1, calls.size() - 1);
                points.append(String.format(
                        Locale.ROOT, "%.1f,%d ", x, rows.get(calls.get(i).type())));
            }
        }
        return String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"34\" fill=\"%s\">%s</text>%n<polyline points=\"%s\" fill=\"none\" stroke=\"%s\"/>%n",
                LEFT + 160 * number,
                colour,
                thread,
                points.toString().trim(),
                colour);
    }
}
