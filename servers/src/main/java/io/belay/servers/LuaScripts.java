package io.belay.servers;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The manner of a server with Lua 5.4, as Dragonfly: its scripts are run by Debian's lua5.4, one at a time, and what they call is sent
 * to a Redis. A script that begins with {@code #!lua} does not compile there, numbers that are unpacked are floats, and a float that
 * is returned is no integer. Thread-safe.
 */
public final class LuaScripts implements CommandProxy.Manner, AutoCloseable {
    private static final String PROGRAM = "lua5.4";

    private final Map<String, byte[]> known = new ConcurrentHashMap<>();
    private final Path directory = Leftovers.directory("belay-lua-");
    // These under this object's own lock.
    private final Process lua;
    private final Socket redis = new Socket();
    private final InputStream replies;
    private final OutputStream calls;
    private int scripts;

    /** Starts the program beside a server, in clear. */
    public LuaScripts(RedisServer server) throws IOException {
        Path file = directory.resolve("scripts.lua");
        try (InputStream in = LuaScripts.class.getResourceAsStream("scripts.lua")) {
            Files.copy(Objects.requireNonNull(in), file);
        }
        lua = Leftovers.start(new ProcessBuilder(Programs.find(PROGRAM, PROGRAM), file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT));
        redis.connect(Ports.address(server.port()));
        redis.setTcpNoDelay(true);
        replies = new BufferedInputStream(redis.getInputStream());
        calls = new BufferedOutputStream(redis.getOutputStream());
    }

    /** Returns whether this machine has the program. */
    public static boolean isInstalled() {
        return Programs.directoryOf(PROGRAM).isPresent();
    }

    /** Returns how many scripts were run. */
    public synchronized int scripts() {
        return scripts;
    }

    @Override
    public CommandProxy.Command instead(CommandProxy.Command command) throws IOException {
        if (!command.isScript()) {
            return command;
        }
        byte[] text = command.words().get(1);
        if (command.is("EVAL")) {
            known.put(digest(text), text);
        } else {
            text = known.get(command.word(1));
            if (text == null) {
                return CommandProxy.Command.error("NOSCRIPT No matching script. Please use EVAL.");
            }
        }
        List<byte[]> call =
                new ArrayList<>(command.words().subList(1, command.words().size()));
        call.set(0, text);
        return run(call);
    }

    private synchronized CommandProxy.Command run(List<byte[]> call) throws IOException {
        scripts++;
        OutputStream out = new BufferedOutputStream(lua.getOutputStream());
        InputStream in = lua.getInputStream();
        frame(out, call);
        List<byte[]> said = frame(in);
        while (text(said.get(0)).equals("call")) {
            CommandProxy.write(calls, new CommandProxy.Command(said.subList(1, said.size())));
            calls.flush();
            frame(out, reply(replies));
            said = frame(in);
        }
        List<byte[]> reply = new ArrayList<>(CommandProxy.Command.of(
                        "EVAL",
                        switch (text(said.get(0))) {
                            case "error" -> "return redis.error_reply(ARGV[1])";
                            case "number" -> "return tonumber(ARGV[1])";
                            case "nothing" -> "return false";
                            default -> "return ARGV[1]";
                        },
                        "0")
                .words());
        reply.addAll(said.subList(1, said.size()));
        return new CommandProxy.Command(reply);
    }

    private static void frame(OutputStream out, List<byte[]> words) throws IOException {
        out.write((words.size() + "\n").getBytes(StandardCharsets.US_ASCII));
        for (byte[] word : words) {
            out.write((word.length + "\n").getBytes(StandardCharsets.US_ASCII));
            out.write(word);
        }
        out.flush();
    }

    private static List<byte[]> frame(InputStream in) throws IOException {
        int count = Integer.parseInt(line(in));
        List<byte[]> words = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            words.add(in.readNBytes(Integer.parseInt(line(in))));
        }
        return words;
    }

    /** Reads a reply of Redis as a kind and its texts. */
    private static List<byte[]> reply(InputStream in) throws IOException {
        int type = in.read();
        String line = line(in).strip();
        return switch (type) {
            case '+' -> List.of(bytes("status"), bytes(line));
            case '-' -> List.of(bytes("error"), bytes(line));
            case ':' -> List.of(bytes("number"), bytes(line));
            case '$' -> line.equals("-1") ? List.of(bytes("nothing")) : List.of(bytes("text"), bulk(in, line));
            case '*' -> {
                List<byte[]> list = new ArrayList<>(List.of(bytes("list")));
                for (int i = 0; i < Integer.parseInt(line); i++) {
                    list.add(reply(in).get(1));
                }
                yield list;
            }
            default -> throw new EOFException("the end, or no reply");
        };
    }

    private static byte[] bulk(InputStream in, String length) throws IOException {
        byte[] bytes = in.readNBytes(Integer.parseInt(length));
        in.readNBytes(2);
        return bytes;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the program has ended");
            }
            line.append((char) c);
        }
        return line.toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    static String digest(byte[] script) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(script));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        Leftovers.kill(lua);
        Sockets.close(redis);
        Leftovers.delete(directory);
    }
}
