package io.belay.file;

import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The small text file that says that a directory is Belay's, in which format, and on which machine it was used. What was
 * written in the format before this one is read; but whoever knows that one alone could not read what is written now. So a
 * directory gets this format while no client is in it, and refuses earlier versions from then on.
 */
final class FormatFile {
    static final String FILE = "belay-store";

    private static final int FORMAT = 2;

    /** The format before that, in which claims did not say on whose behalf and since when they are held. */
    private static final int EARLIER = 1;

    private static final int UNKNOWN = -1;
    private static final Pattern FORMAT_LINE = Pattern.compile("(?m)^format=(\\d{1,9})$");
    private static final Pattern HOST_LINE = Pattern.compile("(?m)^host=([0-9a-f]{1,16})$");
    private static final int MAX = 4096;

    private FormatFile() {}

    /** Returns whether a directory is in the format of an earlier version. */
    static boolean isEarlier(Path directory) throws IOException {
        String text = read(directory);
        return text != null && format(text) == EARLIER;
    }

    /**
     * Refuses a directory that is not Belay's, or not for this program and machine.
     *
     * @param thisBoot whether the directory is in use since this boot, so that it is this machine's under any name
     * @return whether there is no marker that says all, in this format: who is to write there has to {@link #write} it first
     */
    static boolean needsWriting(Path directory, HostIdentity host, boolean thisBoot) throws IOException {
        String text = read(directory);
        if (text == null) {
            if (!thisBoot) { // else it is Belay's, and a cleaning job has taken the marker away
                refuseOthers(directory);
            }
            return true;
        }
        int format = format(text);
        if (format == UNKNOWN) {
            throw StoreException.unusable(
                    directory.resolve(FILE) + " is not what Belay wrote there: delete the directory if nobody uses it, "
                            + "or use another one",
                    null);
        }
        if (format != FORMAT && format != EARLIER) {
            throw StoreException.unusable(
                    directory + " was made by a newer Belay (format " + format + "); this one knows " + FORMAT
                            + ": update it, or use another directory",
                    null);
        }
        String machine = machine(text);
        if (!thisBoot && !machine.isEmpty() && !host.machine().isEmpty() && !machine.equals(host.machine())) {
            throw StoreException.unusable(
                    directory + " belongs to another machine; locks in a directory hold on one machine only. If no "
                            + "process there uses it any more, remove the line host=" + machine + " from "
                            + directory.resolve(FILE),
                    null);
        }
        return format == EARLIER || (machine.isEmpty() && !host.machine().isEmpty());
    }

    private static int format(String text) {
        Matcher line = FORMAT_LINE.matcher(text);
        return line.find() ? Integer.parseInt(line.group(1)) : UNKNOWN;
    }

    private static String machine(String text) {
        Matcher line = HOST_LINE.matcher(text);
        return line.find() ? line.group(1) : "";
    }

    private static @Nullable String read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > MAX) {
            return "";
        }
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }

    private static void refuseOthers(Path directory) throws IOException {
        List<String> others = DirectoryFiles.list(directory, null).stream()
                .filter(name -> !name.startsWith(FILE) && !name.equals("lost+found"))
                .toList();
        // Another process may have marked it, and made more, since we looked.
        if (!others.isEmpty() && !Files.exists(directory.resolve(FILE))) {
            throw StoreException.unusable(
                    directory + " holds other files ("
                            + String.join(", ", others.subList(0, Math.min(3, others.size())))
                            + (others.size() > 3 ? ", ..." : "") + "): give Belay a directory of its own",
                    null);
        }
    }

    /** Marks a directory. The caller is alone at the {@link Entrance}, and no client of an earlier version is there. */
    static void write(Path directory, Access access, HostIdentity host) throws IOException {
        String before = read(directory);
        String named = before == null ? "" : machine(before);
        String machine = named.isEmpty() ? host.machine() : named;
        String text = "Belay keeps locks in this directory.\nformat=" + FORMAT + "\n"
                + (machine.isEmpty() ? "" : "host=" + machine + "\n");
        Path made = directory.resolve(FILE + "." + UUID.randomUUID());
        try (FileChannel channel = FileChannel.open(made, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
            channel.force(true);
            access.give(made, "rw-rw----");
            Files.move(made, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(made);
        }
    }
}
