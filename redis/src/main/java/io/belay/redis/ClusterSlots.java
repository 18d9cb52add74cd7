package io.belay.redis;

import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The masters of a cluster by slot, as far as they are known. Immutable. */
final class ClusterSlots {
    static final int COUNT = SlotHash.SLOT_COUNT;

    /** The texts that keys and channels have in braces to lie in a slot, by slot. The same for all clients. */
    private static final byte[][] TAGS = tags();

    private final @Nullable Address[] owners;
    private final Set<Address> alone;
    /** The slots whose master has no address that is known. */
    private final BitSet lost;

    private ClusterSlots(@Nullable Address[] owners, Set<Address> alone, BitSet lost) {
        this.owners = owners;
        this.alone = alone;
        this.lost = lost;
    }

    private static byte[][] tags() {
        byte[][] tags = new byte[COUNT][];
        int missing = COUNT;
        for (int i = 0; missing > 0; i++) {
            byte[] tag = Integer.toString(i, Character.MAX_RADIX).getBytes(StandardCharsets.US_ASCII);
            int slot = of(tag);
            if (tags[slot] == null) {
                tags[slot] = tag;
                missing--;
            }
        }
        return tags;
    }

    static int of(byte[] key) {
        return SlotHash.getSlot(key);
    }

    /** Returns the text that lies in a slot, which the caller must not change. */
    static byte[] tag(int slot) {
        return TAGS[slot];
    }

    /** Returns a key or channel in a slot, which begins with the prefix. */
    static byte[] in(int slot, String prefix, String rest) {
        return (prefix + "{" + new String(TAGS[slot], StandardCharsets.US_ASCII) + "}" + rest)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns slots of which no master is known. */
    static ClusterSlots none() {
        return new ClusterSlots(new Address[COUNT], Set.of(), new BitSet());
    }

    /**
     * Reads a reply to CLUSTER SLOTS: a list of first slot, last slot, and nodes (address, port, more), the master
     * first. A master whose address that node does not know has the port 0 there, or {@link Address#UNKNOWN} for its
     * host's name: its slots have no owner for now.
     *
     * @param asked the node that replied, which leaves out its own address if it does not know it
     * @throws IllegalArgumentException if it is no such reply
     */
    static ClusterSlots of(List<?> reply, Address asked) {
        @Nullable Address[] owners = new Address[COUNT];
        Set<Address> alone = new HashSet<>();
        BitSet lost = new BitSet();
        try {
            for (Object element : reply) {
                List<?> range = Objects.requireNonNull((List<?>) element);
                List<?> master = Objects.requireNonNull((List<?>) range.get(2));
                String host = text(master.get(0));
                int port = Math.toIntExact((Long) master.get(1));
                int first = Math.toIntExact((Long) range.get(0));
                int last = Math.toIntExact((Long) range.get(1));
                Address owner = port == 0 || host.equals(Address.UNKNOWN)
                        ? null
                        : new Address(host.isEmpty() ? asked.host() : host, port);
                Arrays.fill(owners, first, last + 1, owner);
                lost.set(first, last + 1, owner == null);
                if (owner != null && range.size() == 3) {
                    alone.add(owner);
                }
            }
        } catch (ClassCastException
                | NullPointerException
                | ArithmeticException
                | IndexOutOfBoundsException
                | IllegalArgumentException e) {
            throw new IllegalArgumentException("not a list of slots: " + e.getMessage(), e);
        }
        return new ClusterSlots(owners, alone, lost);
    }

    private static String text(@Nullable Object value) {
        return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
    }

    /** Returns a copy with one slot moved. */
    ClusterSlots with(int slot, Address owner) {
        @Nullable Address[] changed = owners.clone();
        changed[slot] = owner;
        BitSet others = (BitSet) lost.clone();
        others.clear(slot);
        return new ClusterSlots(changed, alone, others);
    }

    /** Returns a copy in which each slot whose master has no address that is known has the one that it has there. */
    ClusterSlots completedBy(ClusterSlots there) {
        ClusterSlots completed = new ClusterSlots(owners.clone(), new HashSet<>(alone), (BitSet) lost.clone());
        lost.stream().forEach(slot -> {
            Address owner = there.owners[slot];
            if (owner != null) {
                completed.owners[slot] = owner;
                completed.lost.clear(slot);
            }
        });
        completed.alone.addAll(there.alone);
        return completed;
    }

    /** Returns whether there are masters, and each has an address that is known. */
    boolean isWhole() {
        return lost.isEmpty() && !masters().isEmpty();
    }

    /** Returns the master of a slot; null if none is known. */
    @Nullable
    Address owner(int slot) {
        return owners[slot];
    }

    /** Returns all masters that have a slot, in the order of their first slots. */
    Set<Address> masters() {
        Set<Address> masters = new LinkedHashSet<>();
        for (Address owner : owners) {
            if (owner != null) {
                masters.add(owner);
            }
        }
        return masters;
    }

    /** Returns a slot of a master, mostly another one each time, as one that is on its way to another answers nothing; -1 if it has none. */
    int anyOf(Address master) {
        int from = ThreadLocalRandom.current().nextInt(owners.length);
        for (int i = 0; i < owners.length; i++) {
            int slot = (from + i) % owners.length;
            if (master.equals(owners[slot])) {
                return slot;
            }
        }
        return -1;
    }

    /** Returns whether a master has no replica. */
    boolean isAlone(Address master) {
        return alone.contains(master);
    }

    /** Returns how many slots have no known master. */
    int missing() {
        return (int) Arrays.stream(owners).filter(owner -> owner == null).count();
    }

    /** Returns how many slots have a master, whether or not its address is known. */
    int assigned() {
        return COUNT - missing() + lost.cardinality();
    }
}
