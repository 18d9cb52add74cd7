package io.belay.redis;

import io.belay.spi.Store;
import io.lettuce.core.KeyScanCursor;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Reads the names on one server, page by page, by SCAN: a key that is there all the time is met at least once. The cursor
 * of a page is the server's own behind the number of its run: another run, or another server, has its keys in another
 * order, and is read from the beginning.
 */
final class NameScan {
    /** The number of keys that the server looks at for a page, about, which takes it about a millisecond. */
    private static final int KEYS = 1_000;

    private static final String BEGINNING = "0";

    private NameScan() {}

    static CompletableFuture<Store.NamePage> page(Link link, Settings settings, String prefix, String cursor) {
        String run = Wire.hex(link.run());
        String at = cursor.startsWith(run) ? cursor.substring(run.length()) : BEGINNING;
        return link.scan(at, pattern(settings.key(prefix)), KEYS).thenApply(found -> {
            if (found.getCursor() == null) {
                throw link.failures().unusable(Replies.OTHER, null);
            }
            return Store.NamePage.of(
                    names(found, settings),
                    found.isFinished() ? Optional.empty() : Optional.of(run + found.getCursor()));
        });
    }

    /** Returns a pattern of all keys that begin like that, whatever characters it has. */
    static byte[] pattern(byte[] beginning) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(beginning.length + 8);
        for (byte b : beginning) {
            if ("*?[]\\".indexOf(b) >= 0) {
                out.write('\\');
            }
            out.write(b);
        }
        out.write('*');
        return out.toByteArray();
    }

    /** Returns the names of the keys that can be Belay's: their bytes are text. */
    private static List<String> names(KeyScanCursor<byte[]> found, Settings settings) {
        List<String> names = new ArrayList<>();
        for (byte[] key : found.getKeys()) {
            String text = new String(key, StandardCharsets.UTF_8);
            if (text.startsWith(settings.prefix()) && Arrays.equals(text.getBytes(StandardCharsets.UTF_8), key)) {
                String name = settings.resource(text);
                if (!name.contains(Admission.RACE)) {
                    names.add(name);
                }
            }
        }
        return names;
    }
}
