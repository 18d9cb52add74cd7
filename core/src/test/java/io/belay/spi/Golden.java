package io.belay.spi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Golden records: what some version of Belay has written, kept as files of a module's tests, which every later version must
 * read. They are never changed; a new layout gets new ones beside them, which {@code -Dbelay.golden=write} writes.
 */
public final class Golden {
    /** The time of all that is in {@link #resource}, in microseconds. */
    public static final long TIME = 1_800_000_000_000_000L;

    private static final Path WRITTEN = Path.of("src", "test", "resources", "golden");

    private Golden() {}

    /** The resources that are kept: a free lock, one with a queue, and permits of a capacity that was set. */
    public static List<String> names() {
        return List.of("free", "queue", "permits");
    }

    public static Resource resource(String name) {
        return switch (name) {
            case "free" -> Resource.of(TIME, Resource.WHOLE).withKeepUntil(TIME + 60_000_000);
            case "queue" ->
                Resource.of(TIME + 70, Resource.WHOLE)
                        .withClaims(
                                List.of(
                                        claim(1, Resource.WHOLE, TIME + 1, 0, false, true, "thread-1"),
                                        claim(2, 1, TIME + 66, 0, true, false, "\u00fc \u4e2d &=%"),
                                        claim(3, 1, TIME + 67, 5_000_000, false, false, "")),
                                1)
                        .withTombstones(List.of(Resource.Tombstone.of(ClaimId.of(-1, 9), TIME + 60_000_000)))
                        .withKeepUntil(TIME + 90_000_000);
            case "permits" ->
                Resource.of(TIME + 9, 8)
                        .withResized(true)
                        .withClaims(
                                List.of(
                                        claim(4, 5, TIME + 3, 0, true, false, "a"),
                                        claim(5, 4, TIME + 9, 0, false, false, "b")),
                                1)
                        .withKeepUntil(TIME + 90_000_000);
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** The same, as their claims are shown by who knows since when and on whose behalf they are held. */
    public static Resource shown(String name) {
        Resource resource = resource(name);
        List<Claim> claims = new ArrayList<>();
        for (Claim claim : resource.claims()) {
            Owner owner = claim.owner();
            String behalf = claim.weight() == 1 ? "" : "order \u00fc &=%";
            claims.add(claim.withOwner(owner.withThread(owner.thread(), behalf)
                    .withSince(claim.pending() ? 0 : TIME + 2)
                    .withLease(30_000_000)));
        }
        return Resource.of(resource.last(), resource.capacity())
                .withResized(resource.resized())
                .withClaims(claims, resource.granted())
                .withTombstones(resource.tombstones())
                .withKeepUntil(resource.keepUntil());
    }

    private static Claim claim(
            long number, int weight, long sequence, long hold, boolean pending, boolean sticky, String thread) {
        Owner owner = Owner.of("client-" + number, "host", 4_711, thread);
        return Claim.of(ClaimId.of(0x1234_5678_9abc_def0L, number), weight, sequence, TIME + 30_000_000, owner)
                .withFixedLease(hold)
                .withPending(pending)
                .withReweights(3)
                .withEntered(TIME)
                .withLocalWaiters(2)
                .withSticky(sticky);
    }

    /** Returns the lines of a golden record; where they are to be written, writes these first. */
    public static List<String> lines(Class<?> test, String name, Lines now) throws Exception {
        if ("write".equals(System.getProperty("belay.golden")) && !Files.exists(WRITTEN.resolve(name))) {
            Files.createDirectories(WRITTEN);
            Files.write(WRITTEN.resolve(name), now.lines());
            return Files.readAllLines(WRITTEN.resolve(name));
        }
        try (InputStream in = test.getResourceAsStream("/golden/" + name)) {
            if (in == null) {
                throw new IllegalStateException("there is no golden record " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** What this version writes, made only where it is asked for. */
    public interface Lines {
        List<String> lines() throws Exception;
    }

    /** Returns the bytes of a golden record that has nothing else; {@code now} is what this version writes. */
    public static byte[] bytes(Class<?> test, String name, byte[] now) {
        try {
            return bytes(String.join("", lines(test, name, () -> hex(now))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    /** Returns bytes in lines of hexadecimal digits. */
    public static List<String> hex(byte[] bytes) {
        String all = HexFormat.of().formatHex(bytes);
        return IntStream.range(0, (all.length() + 99) / 100)
                .mapToObj(i -> all.substring(i * 100, Math.min(all.length(), i * 100 + 100)))
                .toList();
    }
}
