package io.belay.servers;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The blocks of Java of a page of the documentation, compiled as they stand there. */
public final class Snippets {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");
    /** A text that stands for any statements. */
    private static final Pattern ELLIPSIS = Pattern.compile("(?m)(?<=\\{ )\\.\\.\\.(?= })|^\\.\\.\\.$");

    /** The beginning of a block that declares members of a class; any other is a body of statements. */
    private static final Pattern MEMBER = Pattern.compile("(?s)^(@|class |record |public |private |static ).*");

    private final List<String> blocks;

    private Snippets(List<String> blocks) {
        this.blocks = blocks;
    }

    /** Reads a page, in the directory {@code docs} beside the module whose tests run. */
    public static Snippets of(String page) throws IOException {
        String text = Files.readString(Path.of("..", "docs", page));
        return new Snippets(BLOCK.matcher(text)
                .results()
                .map(block -> ELLIPSIS.matcher(block.group(1)).replaceAll(""))
                .toList());
    }

    public int count() {
        return blocks.size();
    }

    /**
     * Compiles each block as the only one of a class, with all that the test sees.
     *
     * @param test a class of the test's module
     * @param imports what the blocks may use, as {@code java.util.*}
     * @param fields what the blocks take for granted, as {@code Belay belay;}
     * @return what the compiler complains of, with the block; empty if nothing
     */
    public List<String> complaints(Class<?> test, List<String> imports, String fields) {
        List<String> complaints = new ArrayList<>();
        for (String block : blocks) {
            String head = imports.stream().map(one -> "import " + one + ";\n").collect(Collectors.joining());
            String body = MEMBER.matcher(block).matches()
                    ? block
                    : "@SuppressWarnings(\"unused\") void snippet() throws Exception {\n" + block + "}\n";
            errors(test, head + "abstract class Snippet {\n" + fields + "\n" + body + "}\n")
                    .forEach(error -> complaints.add(error + " in:\n" + block));
        }
        return complaints;
    }

    private static List<String> errors(Class<?> test, String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of("-proc:none", "-implicit:none", "-cp");
        JavacTask task = (JavacTask) compiler.getTask(
                null,
                null,
                found,
                Stream.concat(options.stream(), Stream.of(ChildJvm.classPath(test)))
                        .toList(),
                null,
                List.of(new Source(source)));
        try {
            task.analyze(); // and writes no class
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found.getDiagnostics().stream()
                .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .map(one -> one.getMessage(null))
                .toList();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///Snippet.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
