package io.belay.redis;

import io.belay.spi.ClaimSpec;
import io.belay.spi.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** The scripts, put together from the resource files beside this class. */
final class Scripts {
    /** The longest lease that fast-enter.lua gives, in microseconds: the script keeps the key long enough for that. */
    private static final long LONGEST_FAST = 30_000_000;

    private static final String FENCE = file("fence");
    /** A command's key that stands in a variable. */
    private static final Pattern VARIABLE = Pattern.compile("(redis\\.p?call\\('\\w+', )key\\b");

    /**
     * A script.
     *
     * @param text what it says
     * @param digest the name by which the server knows it
     */
    record Script(byte[] text, byte[] digest) {
        static Script of(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            try {
                byte[] sum = MessageDigest.getInstance("SHA-1").digest(bytes);
                StringBuilder hex = new StringBuilder();
                for (byte b : sum) {
                    hex.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
                }
                return new Script(bytes, hex.toString().getBytes(StandardCharsets.US_ASCII));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    final Script check;
    final Script inspect;
    /** Runs several renewals, each of a key of its own. */
    final Script renewSeveral;

    private final Script renew;
    private final Script enter;
    private final Script fastEnter;
    private final Script leave;
    private final Script fastLeave;
    private final Map<Class<? extends Request>, Script> others;

    /**
     * Loads the scripts.
     *
     * @param prefix what channels begin with
     * @param form how they are put
     */
    Scripts(String prefix, ScriptForm form) {
        Publishing publishing = form.publishing();
        boolean outside = publishing == Publishing.OUTSIDE;
        String frees = form.flags() ? "#!lua flags=allow-oom\n" : "";
        String plain = form.flags() ? "#!lua\n" : "";
        String begin = file("outside") + file(publishing.file).replace("@PREFIX@", prefix) + file("begin");
        String open = begin + file("read");
        String expire = file("expire");
        String close = file("close");
        // What is left to whoever has asked is told without the key, which it knows.
        UnaryOperator<String> one = text -> literal(text + file("one"), outside ? "nil" : "KEYS[1]");
        check = Script.of(frees
                + file("check")
                        .replace("@PREFIX@", prefix)
                        .replace(
                                "@TELL@",
                                outside ? "return 0" : "return redis.call('" + publishing.command + "', ARGV[1], '')"));
        inspect = Script.of((form.flags() ? "#!lua flags=no-writes\n" : "") + file("inspect"));
        String entering = one.apply(open + expire + once("enter") + close);
        enter = Script.of(plain + entering);
        fastEnter = Script.of(plain + file("fast-enter") + entering);
        String leaving = one.apply(open + once("leave") + expire + close);
        leave = Script.of(frees + leaving);
        fastLeave = Script.of(frees + file("fast-leave") + leaving);
        String renewing = begin + file("fast-renew") + file("read") + expire + once("renew") + close;
        renew = Script.of(frees + one.apply(renewing));
        renewSeveral = Script.of(frees + (renewing + file("several")).replace("@KEY@", "KEYS[k]"));
        others = Map.of(
                Request.Yield.class, Script.of(frees + one.apply(open + expire + once("yield") + close)),
                Request.Reweight.class, Script.of(plain + one.apply(open + expire + once("reweight") + close)),
                Request.Fix.class, Script.of(frees + one.apply(open + expire + once("fix") + close)),
                Request.Describe.class, Script.of(plain + one.apply(open + expire + once("describe") + close)),
                Request.Skip.class, Script.of(frees + one.apply(open + expire + once("skip") + close)),
                Request.Resize.class, Script.of(plain + one.apply(open + expire + once("resize") + close)),
                Request.Evict.class, Script.of(frees + one.apply(open + expire + once("evict") + close)));
    }

    /** Returns the text with the one key as it stands in KEYS wherever a command takes it: some servers look for that. */
    private static String literal(String text, String key) {
        return VARIABLE.matcher(text.replace("@KEY@", key)).replaceAll("$1KEYS[1]");
    }

    /** Returns all scripts of one key, by what they are for. */
    Map<String, Script> ofOneKey() {
        Map<String, Script> all = new TreeMap<>(Map.of(
                "check", check,
                "inspect", inspect,
                "enter", enter,
                "fast-enter", fastEnter,
                "leave", leave,
                "fast-leave", fastLeave,
                "renew", renew));
        others.forEach((type, script) -> all.put(type.getSimpleName().toLowerCase(Locale.ROOT), script));
        return all;
    }

    /** Returns the script that runs a request. */
    Script of(Request request) {
        if (request instanceof Request.Enter e) {
            ClaimSpec spec = e.spec();
            boolean plain = spec.fixedLease() == 0 && !spec.sticky() && e.proposed() == 0;
            return plain && spec.lease() <= LONGEST_FAST && spec.weight() <= spec.capacity() ? fastEnter : enter;
        } else if (request instanceof Request.Leave l) {
            return l.unclear() ? leave : fastLeave;
        } else if (request instanceof Request.Renew) {
            return renew;
        }
        return others.entrySet().stream()
                .filter(one -> one.getKey().isInstance(request))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no script for " + request))
                .getValue();
    }

    /**
     * Returns a script that does what this one does in the step in which fences are compared.
     *
     * @throws IllegalArgumentException if it begins with {@code #!}, which must be a script's first line
     */
    static String fenced(String script) {
        if (script.startsWith("#!")) {
            throw new IllegalArgumentException(
                    "a script that begins with #! cannot be fenced: leave out that line, whose flags would be those of"
                            + " the fence, too");
        }
        return "local function effect(KEYS, ARGV)\n" + script + "\nend\n" + FENCE;
    }

    /** Returns an operation that is run in the first round alone: the others only pass over clients that are gone. */
    private static String once(String name) {
        return "if not answers[k] then\n" + file(name) + "end\n";
    }

    /** Returns the text of a script's file. */
    static String file(String name) {
        return resource(name + ".lua");
    }

    /** Returns the text of any file beside this class. */
    static String resource(String name) {
        try (InputStream in = Scripts.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
