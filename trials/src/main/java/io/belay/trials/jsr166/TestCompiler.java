package io.belay.trials.jsr166;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles the copies of the JDK's tests with the compiler of the JDK that runs this. */
public final class TestCompiler {
    private TestCompiler() {}

    /**
     * Compiles files into a directory.
     *
     * @throws IOException if they cannot be compiled, with the first reason
     */
    public static void compile(List<Path> sources, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IOException("this Java has no compiler: set JAVA_HOME to a JDK");
        }
        Files.createDirectories(classes);
        List<String> options = List.of(
                "-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none", "-nowarn");
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(said, Locale.ROOT, null)) {
            if (compiler.getTask(null, files, said, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call()) {
                return;
            }
        }
        throw new IOException(said.getDiagnostics().stream()
                        .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                        .map(Object::toString)
                        .findFirst()
                        .orElse("the compiler failed")
                + "\nThe tests cannot be compiled with Java "
                + Runtime.version().feature()
                + "; those of a later JDK need a later one: set JAVA_HOME");
    }
}
