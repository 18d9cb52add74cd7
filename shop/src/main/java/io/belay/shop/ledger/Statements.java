package io.belay.shop.ledger;

import io.belay.jdbc.SqlFence;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The SQL in the resource files: statements by name, and a schema to run from top to bottom. */
final class Statements {
    /** The table of {@link SqlFence#standard}. */
    static final String FENCE = "belay_fence";

    private static final String NAME = "-- name: ";

    private final Map<String, String> byName = new HashMap<>();
    private final List<String> schema;

    private Statements(Dialect dialect) {
        addNamed("statements.sql");
        // Only some databases need words of their own.
        if (Statements.class.getResource("statements-" + dialect.id() + ".sql") != null) {
            addNamed("statements-" + dialect.id() + ".sql");
        }
        schema = split(read("schema-" + dialect.id() + ".sql"));
        // As Belay has it for others, so that both may use one database.
        schema.addAll(split(read(SqlFence.class, dialect.id() + "/fence.sql").replace("{fence}", FENCE)));
    }

    static Statements of(Dialect dialect) {
        return new Statements(dialect);
    }

    String get(String name) {
        String sql = byName.get(name);
        if (sql == null) {
            throw new IllegalArgumentException("no statement is named " + name);
        }
        return sql;
    }

    List<String> schema() {
        return schema;
    }

    private void addNamed(String file) {
        for (String section : read(file).split(NAME, -1)) {
            int end = section.indexOf('\n');
            List<String> body = split(section.substring(end + 1));
            if (!section.startsWith("--") && !body.isEmpty()) {
                byName.put(section.substring(0, end).strip(), body.get(0));
            }
        }
    }

    private static List<String> split(String text) {
        String code = text.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
        List<String> statements = new ArrayList<>();
        for (String statement : code.split(";", -1)) {
            if (!statement.isBlank()) {
                statements.add(statement.strip());
            }
        }
        return statements;
    }

    private static String read(String file) {
        return read(Statements.class, file);
    }

    private static String read(Class<?> beside, String file) {
        try (InputStream in = beside.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + file + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
