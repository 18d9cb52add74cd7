package io.belay.servers;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The manner of a provider of servers, which lets clients do less than Redis does. Thread-safe.
 *
 * <p>Rules: {@code keys} (a script names its keys as {@code KEYS[n]} and in no other way), {@code one-key} (a script has one key at
 * most), {@code publish} (no script publishes), {@code spublish} (what a script publishes goes by shard), {@code wait} (there is no
 * WAIT), {@code flags} (no script begins with {@code #!}), {@code eval} (there are no scripts), {@code one-node} (a cluster that tells
 * of one node, the proxy itself), {@code asking} (there is no ASKING).
 */
public final class ProviderManner implements CommandProxy.Manner {
    private static final Pattern COMMENT = Pattern.compile("--[^\\n]*");
    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\('(\\w+)'(, KEYS\\[\\d+])?");
    private static final String BAD =
            "ERR bad lua script for redis cluster, all the keys that the script uses should be passed using the KEYS array,"
                    + " and KEYS should not be in expression";

    private final Set<String> rules;
    private final Map<String, String> rewritten = new ConcurrentHashMap<>();
    private volatile int port;

    public ProviderManner(Set<String> rules) {
        this.rules = Set.copyOf(rules);
    }

    /** Tells the port that the one node of a cluster is to be found at. */
    public void at(int proxy) {
        port = proxy;
    }

    @Override
    public CommandProxy.Command instead(CommandProxy.Command command) {
        if (command.is("WAIT") && rules.contains("wait")) {
            return CommandProxy.Command.error("ERR unknown command 'wait'");
        } else if (command.is("ASKING") && rules.contains("asking")) {
            return CommandProxy.Command.error("ERR unknown command 'asking'");
        } else if (command.is("CLUSTER") && command.word(1).equalsIgnoreCase("SLOTS") && rules.contains("one-node")) {
            return CommandProxy.Command.of(
                    "EVAL",
                    "return {{0, 16383, {'127.0.0.1', tonumber(ARGV[1]), string.rep('a', 40)}}}",
                    "0",
                    Integer.toString(port));
        } else if (!command.isScript()) {
            return command;
        } else if (rules.contains("eval")) {
            return CommandProxy.Command.error("ERR unknown command '" + command.word(0) + "'");
        } else if (rules.contains("one-key") && !command.word(2).equals("1")) {
            return CommandProxy.Command.error("CROSSSLOT Keys in request don't hash to the same slot");
        }
        return command.is("EVAL") ? text(command) : sharded(command);
    }

    private CommandProxy.Command text(CommandProxy.Command command) {
        String text = command.word(1);
        if (text.startsWith("#!") && rules.contains("flags")) {
            return CommandProxy.Command.error("ERR Error compiling script: unexpected symbol near '#'");
        }
        String code = COMMENT.matcher(text).replaceAll("");
        if (rules.contains("keys") && !isLiteral(code)) {
            return CommandProxy.Command.error(BAD);
        } else if (rules.contains("publish") && code.contains("'PUBLISH'")) {
            return CommandProxy.Command.error("ERR publish is not allowed in scripts");
        }
        return sharded(command);
    }

    /** Returns whether each command of a script has its key as KEYS[n], and nothing else uses KEYS. */
    public static boolean isLiteral(String script) {
        String code = COMMENT.matcher(script).replaceAll("");
        Matcher calls = CALL.matcher(code);
        int uses = 0;
        while (calls.find()) {
            if (calls.group(2) != null) {
                uses++;
            } else if (!calls.group(1).equals("TIME")) {
                return false;
            }
        }
        Matcher keys = Pattern.compile("KEYS").matcher(code);
        long all = keys.results().count();
        Matcher any = Pattern.compile("redis\\.p?call").matcher(code);
        return all == uses
                && any.results().count() == CALL.matcher(code).results().count();
    }

    private CommandProxy.Command sharded(CommandProxy.Command command) {
        if (!rules.contains("spublish")) {
            return command;
        }
        List<byte[]> words = new ArrayList<>(command.words());
        if (command.is("EVAL")) {
            byte[] text = command.word(1).replace("'PUBLISH'", "'SPUBLISH'").getBytes(StandardCharsets.ISO_8859_1);
            rewritten.put(LuaScripts.digest(command.words().get(1)), LuaScripts.digest(text));
            words.set(1, text);
        } else {
            words.set(
                    1, rewritten.getOrDefault(command.word(1), command.word(1)).getBytes(StandardCharsets.US_ASCII));
        }
        return new CommandProxy.Command(words);
    }
}
