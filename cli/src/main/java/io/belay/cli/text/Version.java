package io.belay.cli.text;

import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar. */
public final class Version implements IVersionProvider {
    /** Returns it in a line. */
    public static String line() {
        String version = Version.class.getPackage().getImplementationVersion();
        return "belay " + (version == null ? "(not packaged)" : version);
    }

    @Override
    public String[] getVersion() {
        return new String[] {line()};
    }
}
