package io.belay.servers;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Runs a test with many random inputs. A round that fails names its seed, and {@code -Dbelay.seed=SEED} runs that round
 * alone. {@code -Dbelay.fuzz=N} runs N times as many rounds as usual.
 */
public final class Fuzz {
    /** The most bytes a round may allocate: more than inputs need, far less than an unchecked length would take. */
    private static final long MOST_BYTES = 64 << 20;

    private static final List<String> NASTY = List.of(
            "\0",
            "\n",
            "\r\n",
            "\u001b[2J",
            "\u2028",
            "\ud800",
            "\udfff",
            "😀",
            "%",
            "%%",
            "%zz",
            "%0a",
            "%00",
            "${",
            "${}",
            "${NO\nNE}",
            "$",
            "@",
            "@@",
            ":",
            "::",
            "//",
            "///",
            "[",
            "]",
            "[::",
            "?",
            "&",
            "#",
            "=",
            ",",
            ";",
            "~",
            "..",
            "/../",
            " ",
            "\t",
            "+",
            "-1",
            "0",
            "65536",
            "2147483648",
            "99999999999999999999",
            "1e9",
            "NaN",
            "null",
            "\\",
            "\"",
            "'",
            "{",
            "}",
            "\uffff",
            "٣",
            "ms",
            "-cluster",
            "-sentinel",
            "quorum:",
            "file:",
            "redis:");

    private static final int[] NUMBERS = {
        0,
        1,
        -1,
        Integer.MIN_VALUE,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE - 8,
        0x10000,
        0xffff,
        0x7f,
        0x80,
        1 << 28,
        1 << 30
    };

    /** A test of one random input. */
    public interface Round {
        /**
         * Tries one input.
         *
         * @param random what the input is to be made with
         * @throws Exception if the input was not treated as it should be
         */
        void run(Random random) throws Exception;
    }

    private Fuzz() {}

    /**
     * Runs so many rounds, the same each time, so that a change of Belay is all that can make them fail; or the
     * round that {@code -Dbelay.seed} asks for; or others and more of them, if {@code -Dbelay.fuzz} asks for that.
     * No round may take much memory.
     */
    public static void rounds(int usual, Round round) {
        Long asked = Long.getLong("belay.seed");
        Integer more = Integer.getInteger("belay.fuzz");
        long first = asked != null ? asked : more != null ? System.nanoTime() : 1;
        long count = asked != null ? 1 : (long) usual * (more == null ? 1 : more);
        for (long seed = first; seed < first + count; seed++) {
            long before = allocated();
            try {
                // The first numbers that neighbouring seeds give are alike.
                round.run(new Random(new SplittableRandom(seed).nextLong()));
            } catch (Exception | Error e) {
                throw new AssertionError("the round of -Dbelay.seed=" + seed + " failed: " + e, e);
            }
            long taken = allocated() - before;
            if (taken > MOST_BYTES) {
                throw new AssertionError("the round of -Dbelay.seed=" + seed + " took " + taken + " bytes");
            }
        }
    }

    private static long allocated() {
        return ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads
                ? threads.getThreadAllocatedBytes(Thread.currentThread().getId())
                : 0;
    }

    /** Returns the text with something put in, taken out, doubled or changed in it, mostly in one place. */
    public static String text(Random random, String valid) {
        String text = valid;
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            int from = random.nextInt(text.length() + 1);
            int to = Math.min(text.length(), from + random.nextInt(6));
            String nasty = NASTY.get(random.nextInt(NASTY.size()));
            String between = switch (random.nextInt(6)) {
                case 0 -> "";
                case 1 -> text.substring(from, to).repeat(2);
                case 2 -> String.valueOf((char) random.nextInt(0x180));
                case 3 -> nasty.repeat(1 + random.nextInt(random.nextInt(20) == 0 ? 1000 : 2));
                case 4 -> nasty + text.substring(from, to);
                default -> text.substring(from, to).toUpperCase(java.util.Locale.ROOT);
            };
            text = text.substring(0, from) + between + text.substring(to);
        }
        return text;
    }

    /** Returns the bytes with some changed, cut off or added, or with an unlikely length written over four of them. */
    public static byte[] bytes(Random random, byte[] valid) {
        byte[] bytes = valid.clone();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            int at = random.nextInt(bytes.length + 1);
            switch (random.nextInt(5)) {
                case 0 -> bytes = Arrays.copyOf(bytes, at);
                case 1 -> bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(40));
                case 2 -> {
                    int number = NUMBERS[random.nextInt(NUMBERS.length)];
                    for (int k = 0; k < 4 && at + k < bytes.length; k++) {
                        bytes[at + k] = (byte) (number >>> (24 - 8 * k));
                    }
                }
                case 3 -> {
                    byte[] rubbish = new byte[random.nextInt(16)];
                    random.nextBytes(rubbish);
                    System.arraycopy(rubbish, 0, bytes, at, Math.min(rubbish.length, bytes.length - at));
                }
                default -> {
                    if (at < bytes.length) {
                        bytes[at] ^= (byte) (1 << random.nextInt(8));
                    }
                }
            }
        }
        return bytes;
    }

    /** Does the same with a text that goes over a wire. */
    public static String line(Random random, String valid) {
        return new String(bytes(random, valid.getBytes(StandardCharsets.ISO_8859_1)), StandardCharsets.ISO_8859_1);
    }
}
