package io.belay.cli.text;

import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A reader and printer of JSON. */
public final class Json {
    /** With other letters than those of ASCII as numbers: the output has not all of them in each locale. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    private Json() {}

    /** Prints one object on the standard output. */
    public static void print(Object value) {
        System.out.println(MAPPER.writeValueAsString(value));
        System.out.flush();
    }

    /** Reads a document. */
    public static JsonNode read(String document) {
        return MAPPER.readTree(document);
    }

    /** Returns a figure with as many digits as are worth reading. */
    public static double round(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
