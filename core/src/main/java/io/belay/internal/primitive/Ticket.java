package io.belay.internal.primitive;

import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * The name of a hold of permits, by which another process can give them back: the claim, its sequence, and a check of both and
 * of the semaphore's name.
 *
 * @param id the claim
 * @param sequence its sequence
 */
record Ticket(ClaimId id, long sequence) {
    /** Returns what users hand on. */
    String text(String name) {
        String claim = id + "-" + sequence;
        CRC32 check = new CRC32();
        check.update((claim + '\n' + name).getBytes(StandardCharsets.UTF_8));
        return claim + "-" + Long.toHexString(check.getValue());
    }

    /** Reads what users hand in, and throws if that is no ticket of that semaphore. */
    static Ticket parse(String name, String text) {
        String[] parts = text.split("-", -1);
        if (parts.length == 4) {
            try {
                ClaimId id = ClaimId.of(Long.parseUnsignedLong(parts[0], 16), Long.parseLong(parts[1]));
                Ticket ticket = new Ticket(id, Long.parseLong(parts[2]));
                if (ticket.text(name).equals(text)) {
                    return ticket;
                }
            } catch (NumberFormatException e) {
                // As below.
            }
        }
        throw new IllegalArgumentException(
                "This is no ticket of the semaphore '" + name + "': hand on just what its ticket(lease) returned");
    }

    boolean isOf(Claim claim) {
        return claim.id().equals(id) && claim.sequence() == sequence;
    }
}
