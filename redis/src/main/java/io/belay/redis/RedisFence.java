package io.belay.redis;

import io.belay.Lease;
import io.belay.fence.Fence;
import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.api.sync.RedisScriptingCommands;
import io.lettuce.core.cluster.SlotHash;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A guard of keys in a Redis or a Redis cluster. The highest token that has been used of each lock is a key beside them, in the
 * same slot, and a script compares it and writes in one step. The lock may be in any store.
 *
 * <pre>{@code
 * RedisFence fence = RedisFence.of(redis, "iphone");
 * RedisFence.Writer stock = fence.raise(lease);              // before anything is read
 * int left = Integer.parseInt(redis.get("{iphone}:left"));
 * stock.set("{iphone}:left", String.valueOf(left - 1));      // refused if a later holder has raised the fence
 * }</pre>
 *
 * <p>It is as durable as that Redis: a fail-over may forget that a fence was raised, together with what was written, and a late
 * holder is then refused no longer. The keys of fences have no end, and must not be evicted.
 *
 * <p>Thread-safe, if the connection is. Blocks as its commands do, and throws what they throw. In {@code MULTI} a connection
 * compares nothing yet, so the fence throws an {@link IllegalStateException} there, but for {@link Writer#run}.
 */
public final class RedisFence implements Fence<RedisFence.Writer, RuntimeException> {
    private static final String REFUSED = "STALETOKEN";
    private static final String FOREIGN = "NOTOKEN";
    private static final String NOTHING = "return 1";
    private static final String SET = "return redis.call('SET', KEYS[1], ARGV[1])";

    private final RedisScriptingCommands<String, String> commands;
    private final String tag;

    private RedisFence(RedisScriptingCommands<String, String> commands, String tag) {
        this.commands = commands;
        this.tag = tag;
    }

    /**
     * Returns the fence of keys with that hash tag.
     *
     * @param commands of a connection to a server or a cluster; the master is asked
     * @param tag what stands in braces in the names of all keys that are guarded, as {@code iphone} in
     *     <code>{iphone}:left</code>
     * @throws IllegalArgumentException if it is empty, or has a brace itself
     */
    public static RedisFence of(RedisScriptingCommands<String, String> commands, String tag) {
        Objects.requireNonNull(commands, "commands");
        Objects.requireNonNull(tag, "tag");
        if (tag.isEmpty() || tag.contains("{") || tag.contains("}")) {
            throw new IllegalArgumentException("'" + tag
                    + "' is no hash tag: give what stands between the braces of the keys, as iphone in {iphone}:left");
        }
        return new RedisFence(commands, tag);
    }

    @Override
    public Writer raiseTo(Collection<FencingToken> tokens) {
        Writer writer = new Writer(FencingToken.inOrder(tokens));
        checkDone(writer.<@Nullable Long>run(NOTHING, ScriptOutputType.INTEGER, List.of()));
        return writer;
    }

    /**
     * {@inheritDoc}
     *
     * @param lock its full name, see {@link Lease#name()}
     */
    @Override
    public void reset(String lock) {
        Objects.requireNonNull(lock, "lock");
        call("return redis.call('DEL', KEYS[1])", ScriptOutputType.INTEGER, new String[] {key(lock)}, new String[0]);
    }

    private String key(String lock) {
        return "{" + tag + "}:belay-fence:" + lock;
    }

    // The type of the result is Lettuce's to say, and nothing else tells whether the connection is in MULTI.
    @SuppressWarnings({"TypeParameterUnusedInFormals", "deprecation"})
    private <T extends @Nullable Object> T call(String script, ScriptOutputType type, String[] keys, String[] args) {
        if (commands instanceof RedisCommands<String, String> own
                && own.getStatefulConnection().isMulti()) {
            return commands.eval(script, type, keys, args); // EXEC would find that the server lacks it
        }
        try {
            return commands.evalsha(commands.digest(script), type, keys, args);
        } catch (RedisNoScriptException e) {
            return commands.eval(script, type, keys, args);
        }
    }

    /** The way to write for a holder that has raised the fence. Each method refuses in the same step in which it would write. */
    public final class Writer {
        private final List<FencingToken> tokens;

        private Writer(List<FencingToken> tokens) {
            this.tokens = tokens;
        }

        /**
         * Sets a key.
         *
         * @throws StaleTokenException if a later holder has raised the fence
         * @throws IllegalArgumentException if the key lacks the hash tag of the fence
         */
        public void set(String key, String value) {
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(value, "value");
            checkDone(this.<@Nullable String>run(SET, ScriptOutputType.STATUS, List.of(key), value));
        }

        /**
         * Runs a script in the same step in which the fence is compared.
         *
         * @param script in Lua; it sees these keys as {@code KEYS}, these arguments as {@code ARGV}, and nothing of the fence
         * @param type of the result
         * @param keys all that it reads or writes, with the hash tag of the fence
         * @return what the script returns; null in {@code MULTI}, where the result of {@code EXEC} tells of a refusal
         * @throws StaleTokenException if a later holder has raised the fence; the script was not run
         * @throws IllegalArgumentException if a key lacks the hash tag of the fence, or the script begins with {@code #!}
         */
        @SuppressWarnings("TypeParameterUnusedInFormals") // as Lettuce has it
        public <T extends @Nullable Object> T run(
                String script, ScriptOutputType type, Collection<String> keys, String... arguments) {
            Objects.requireNonNull(script, "script");
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(keys, "keys");
            Objects.requireNonNull(arguments, "arguments");
            keys.forEach(RedisFence.this::checkSlot);
            try {
                return call(
                        Scripts.fenced(script),
                        type,
                        Stream.concat(tokens.stream().map(token -> key(token.lock())), keys.stream())
                                .toArray(String[]::new),
                        Stream.of(
                                        Stream.of(Integer.toString(tokens.size())),
                                        tokens.stream().map(token -> Long.toString(token.value())),
                                        Arrays.stream(arguments))
                                .flatMap(part -> part)
                                .toArray(String[]::new));
            } catch (RedisCommandExecutionException e) {
                throw refusal(e);
            }
        }

        private RuntimeException refusal(RedisCommandExecutionException e) {
            String[] words = String.valueOf(e.getMessage()).split(" ", -1);
            if (words[0].equals(REFUSED)) {
                return StaleTokenException.of(tokens.get(Integer.parseInt(words[1]) - 1), Long.parseLong(words[2]));
            } else if (words[0].equals(FOREIGN)) {
                String key = key(tokens.get(Integer.parseInt(words[1]) - 1).lock());
                return new IllegalStateException(
                        "the key '" + key + "' holds no token, so no fence wrote it: remove it", e);
            }
            return e;
        }
    }

    /** Checks that a command which has a result was run: in MULTI it is put off, and the driver returns null. */
    private static void checkDone(@Nullable Object result) {
        if (result == null) {
            throw new IllegalStateException(
                    "the connection is in MULTI, where no fence is compared yet: raise it and write before or after that");
        }
    }

    private void checkSlot(String key) {
        if (SlotHash.getSlot(key) != SlotHash.getSlot(tag)) {
            throw new IllegalArgumentException("the fence of {" + tag + "} cannot guard the key '" + key
                    + "', which may be on another server of a cluster: give it the hash tag {" + tag + "}");
        }
    }
}
