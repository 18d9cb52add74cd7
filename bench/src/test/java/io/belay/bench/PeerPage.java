package io.belay.bench;

import io.belay.servers.Snippets;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A page for those who come from a peer: a section for each of its types, in which each method stands. */
record PeerPage(String file) {
    /** What the page says under a title of the second rank. */
    String section(String title) throws IOException {
        String page = Files.readString(Path.of("..", "docs", file));
        return Arrays.stream(page.split("(?m)^## ", -1))
                .filter(part -> part.startsWith(title + "\n"))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(file + " has no section " + title));
    }

    Snippets snippets() throws IOException {
        return Snippets.of(file);
    }

    /** A method as a page shows it. */
    static String shown(Method method) {
        return "`" + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")`"));
    }
}
