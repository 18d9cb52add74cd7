package io.belay.bench.library;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import org.jspecify.annotations.Nullable;

/** A lock by hand over Lettuce. */
final class LettuceLibrary implements Library {
    @Override
    public String name() {
        return "lettuce";
    }

    @Override
    public String store() {
        return "redis";
    }

    @Override
    public String settings() {
        return "By hand: `SET NX PX` and a compare-and-delete script by its hash; one connection for all threads, as its"
                + " documentation recommends; epoll, which it takes by itself. No waiting, no renewal, no token.";
    }

    @Override
    public Locks open(Site site) {
        RedisClient client = RedisClient.create(site.server().toString());
        RedisCommands<String, String> commands = client.connect().sync();
        String script = commands.scriptLoad(RawScripts.COMPARE_AND_DELETE);
        return new Locks() {
            @Override
            public Mutex mutex(String name) {
                return new LettuceMutex(commands, script, name);
            }

            @Override
            public void close() {
                client.shutdown();
            }
        };
    }

    private static final class LettuceMutex extends RawMutex {
        private final RedisCommands<String, String> commands;
        private final String script;
        private final String name;
        private final SetArgs ifFree = SetArgs.Builder.nx().px(RawScripts.LEASE_MILLIS);
        private final String[] keys;

        LettuceMutex(RedisCommands<String, String> commands, String script, String name) {
            this.commands = commands;
            this.script = script;
            this.name = name;
            keys = new String[] {name};
        }

        @Override
        boolean set(String value) {
            return commands.set(name, value, ifFree) != null;
        }

        @Override
        void delete(String value) {
            commands.evalsha(script, ScriptOutputType.INTEGER, keys, value);
        }

        @Override
        @Nullable
        String get() {
            return commands.get(name);
        }
    }
}
