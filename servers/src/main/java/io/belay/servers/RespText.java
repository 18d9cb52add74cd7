package io.belay.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** RESP frames as text: what they say, what kind they are, and how to write a command. */
final class RespText {
    private static final Set<String> MESSAGES = Set.of("message", "pmessage", "smessage");

    private RespText() {}

    static byte[] command(String... words) {
        ByteArrayOutputStream command = new ByteArrayOutputStream();
        command.writeBytes(("*" + words.length + "\r\n").getBytes(UTF_8));
        for (String word : words) {
            byte[] bytes = word.getBytes(UTF_8);
            command.writeBytes(("$" + bytes.length + "\r\n").getBytes(UTF_8));
            command.writeBytes(bytes);
            command.writeBytes("\r\n".getBytes(UTF_8));
        }
        return command.toByteArray();
    }

    /** The values of a frame in their order, with the nested ones among them; a null is {@code (nil)}. */
    static List<String> values(byte[] frame) {
        List<String> values = new ArrayList<>();
        int at = 0;
        while (at < frame.length) {
            int line = RespFrames.lineEnd(frame, at, frame.length);
            String head = new String(frame, at + 1, line - at - 1, UTF_8);
            char type = (char) frame[at];
            at = line + 2;
            switch (type) {
                case '$', '=', '!' -> {
                    int size = Integer.parseInt(head);
                    values.add(size < 0 ? "(nil)" : new String(frame, at, size, UTF_8));
                    at += size < 0 ? 0 : size + 2;
                }
                case '_' -> values.add("(nil)");
                case '*', '~', '>', '%', '|' -> {
                    if (head.equals("-1")) {
                        values.add("(nil)");
                    }
                }
                default -> values.add(head);
            }
        }
        return values;
    }

    /** Returns whether this command runs a script. */
    static boolean isScript(byte[] command) {
        if (command[0] != '*') {
            return false;
        }
        String name = values(command).stream().findFirst().orElse("").toUpperCase(Locale.ROOT);
        return name.equals("EVAL") || name.equals("EVALSHA");
    }

    static boolean isError(byte[] frame) {
        return frame[0] == '-' || frame[0] == '!';
    }

    /** Returns whether this is a push of RESP3: a message, the answer to a SUBSCRIBE, an invalidation. */
    static boolean isPush(byte[] frame) {
        return frame[0] == '>';
    }

    /**
     * Returns whether this is a message on a channel, in RESP3 or in RESP2. In RESP2, another reply that is an
     * array and begins with such a word looks the same.
     */
    static boolean isMessage(byte[] frame) {
        if (frame[0] != '>' && frame[0] != '*') {
            return false;
        }
        int first = RespFrames.lineEnd(frame, 0, frame.length) + 2;
        if (first >= frame.length || frame[first] != '$') {
            return false;
        }
        int begin = RespFrames.lineEnd(frame, first, frame.length) + 2;
        int end = RespFrames.lineEnd(frame, begin, frame.length);
        return end > begin && MESSAGES.contains(new String(frame, begin, end - begin, UTF_8));
    }
}
