package io.belay.servers;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The manner of a server that runs scripts of several clients at the same time: one script in a hundred has read its key before, and
 * writes it after, what another client's script does. That is made by undoing what the other has written, so that the script reads
 * what was there before. For scripts of one key. Thread-safe.
 */
public final class Interleaving implements CommandProxy.Manner {
    private static final int ONE_IN = 100;
    private static final long LONGEST_MILLIS = 20;

    private final RedisServer server;
    private final @Nullable String info;
    private final AtomicLong scripts = new AtomicLong();

    /**
     * Makes the manner of a server.
     *
     * @param server the one that runs the scripts
     * @param info what INFO tells; null for what the server itself does
     */
    public Interleaving(RedisServer server, @Nullable String info) {
        this.server = server;
        this.info = info;
    }

    @Override
    public CommandProxy.Command instead(CommandProxy.Command command) throws IOException, InterruptedException {
        if (info != null && command.is("INFO")) {
            return CommandProxy.Command.text(info);
        } else if (command.isScript() && command.word(2).equals("1")) {
            long now = scripts.incrementAndGet();
            if (now % ONE_IN == 0) {
                stayBehind(command.word(3), now);
            }
        }
        return command;
    }

    private void stayBehind(String key, long now) throws IOException, InterruptedException {
        String before = key + "#before";
        boolean there = server.command("COPY", key, before, "REPLACE").equals("1");
        long end = System.nanoTime() + LONGEST_MILLIS * 1_000_000;
        while (scripts.get() == now && System.nanoTime() < end) {
            Thread.sleep(1); // for another client's script to come
        }
        Thread.sleep(1); // and to be run
        if (there) {
            server.command("COPY", before, key, "REPLACE");
            server.command("DEL", before);
        } else {
            server.command("DEL", key);
        }
    }
}
