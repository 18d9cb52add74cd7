package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** What editors are told of the properties. */
class MetadataTest {
    private static final Pattern PROPERTY = Pattern.compile(
            "\\{\\s*\"name\": \"(belay\\.[a-z.-]+)\",\\s*\"type\": \"[^\"]+\",\\s*\"description\": \"[^\"]+\"");

    private static void collect(String prefix, Class<?> type, SortedSet<String> names) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + kebab(component.getName());
            if (component.getType().isRecord()) {
                collect(name, component.getType(), names);
            } else {
                names.add(name);
            }
        }
    }

    private static String kebab(String name) {
        String kebab = name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        assertThat(ConfigurationPropertyName.isValid(kebab)).isTrue();
        return kebab;
    }

    @Test
    void eachPropertyIsDescribed() throws Exception {
        SortedSet<String> wanted = new TreeSet<>();
        collect("belay", BelayProperties.class, wanted);
        SortedSet<String> described = new TreeSet<>();
        try (InputStream metadata =
                MetadataTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            Matcher matcher = PROPERTY.matcher(new String(metadata.readAllBytes(), StandardCharsets.UTF_8));
            while (matcher.find()) {
                described.add(matcher.group(1));
            }
        }
        assertThat(wanted).hasSizeGreaterThan(10);
        assertThat(described).isEqualTo(wanted);
    }
}
