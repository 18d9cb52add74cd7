package io.belay.tck;

import io.belay.node.Capacity;
import io.belay.node.Details;
import io.belay.node.DetailsText;
import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.spi.ClaimId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The nodes of one resource as {@link SampleNodes} keep them in one value: read, changed, and written back. */
final class SampleLine {
    /** What is remembered of those that have gone. */
    private static final int MEMORY = 32;

    /** A node, and when it ends unless it is renewed, by the database's clock in microseconds. */
    record Standing(Node node, long end, boolean fixed) {}

    /** A node that has gone: who waits for arrivals is told of it all the same. */
    record Gone(long order, int weight) {}

    private final String resource;
    long last;
    Capacity set = Capacity.NONE;
    final List<Standing> standing = new ArrayList<>();
    final List<Gone> gone = new ArrayList<>();
    /** Claims of which no enter is obeyed any more. */
    final List<ClaimId> ended = new ArrayList<>();

    /** Reads one, without the nodes that have ended by now. */
    SampleLine(String resource, byte[] bytes, long now) {
        this.resource = resource;
        if (bytes.length == 0) {
            return;
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            last = in.readLong();
            set = capacity(in.readUTF(), in.readLong());
            for (int i = in.readInt(); i > 0; i--) {
                Standing read = standing(in);
                if (read.end() > now) {
                    standing.add(read);
                } else {
                    gone.add(new Gone(read.node().order(), read.node().details().weight()));
                }
            }
            for (int i = in.readInt(); i > 0; i--) {
                gone.add(new Gone(in.readLong(), in.readInt()));
            }
            for (int i = in.readInt(); i > 0; i--) {
                ended.add(ClaimId.of(in.readLong(), in.readLong()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Capacity capacity(String text, long version) {
        return Capacity.parse(text, version).orElse(Capacity.unset(version));
    }

    void resize(Capacity next) {
        set = capacity(next.text(), set.version() + 1);
    }

    private Standing standing(DataInputStream in) throws IOException {
        ClaimId id = ClaimId.of(in.readLong(), in.readLong());
        int capacity = in.readInt();
        long order = in.readLong();
        long version = in.readLong();
        Details details = DetailsText.decode(in.readNBytes(in.readInt()));
        return new Standing(node(id, capacity, order, version, details), in.readLong(), in.readBoolean());
    }

    private Node node(ClaimId id, int capacity, long order, long version, Details details) {
        return new Node(order + "/" + resource, id, capacity, order, Node.sequence(order), version, details);
    }

    static String resourceOf(Node node) {
        return node.key().substring(node.key().indexOf('/') + 1);
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(last);
            out.writeUTF(set.text());
            out.writeLong(set.version());
            out.writeInt(standing.size());
            for (Standing one : standing) {
                write(one, out);
            }
            out.writeInt(Math.min(gone.size(), MEMORY));
            for (Gone one : gone.subList(Math.max(0, gone.size() - MEMORY), gone.size())) {
                out.writeLong(one.order());
                out.writeInt(one.weight());
            }
            out.writeInt(Math.min(ended.size(), MEMORY));
            for (ClaimId id : ended.subList(Math.max(0, ended.size() - MEMORY), ended.size())) {
                out.writeLong(id.client());
                out.writeLong(id.number());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(Standing one, DataOutputStream out) throws IOException {
        Node node = one.node();
        out.writeLong(node.id().client());
        out.writeLong(node.id().number());
        out.writeInt(node.capacity());
        out.writeLong(node.order());
        out.writeLong(node.version());
        byte[] details = DetailsText.encode(node.details());
        out.writeInt(details.length);
        out.write(details);
        out.writeLong(one.end());
        out.writeBoolean(one.fixed());
    }

    NodeQueue line() {
        return new NodeQueue(set, standing.stream().map(Standing::node).toList());
    }

    Optional<Standing> find(ClaimId id) {
        return standing.stream().filter(one -> one.node().id().equals(id)).findFirst();
    }

    Optional<Standing> find(Node node) {
        return standing.stream()
                .filter(one -> one.node().order() == node.order())
                .findFirst();
    }

    boolean hasNobodys() {
        return standing.stream().anyMatch(one -> one.node().id().client() == ClaimId.NOBODY);
    }

    Standing add(ClaimId id, int capacity, Details details, long end) {
        last++;
        Standing added = new Standing(node(id, capacity, last, 1, details), end, false);
        standing.add(added);
        return added;
    }

    void replace(Standing one, Standing other) {
        standing.set(standing.indexOf(one), other);
    }

    boolean remove(List<Standing> some) {
        some.forEach(one ->
                gone.add(new Gone(one.node().order(), one.node().details().weight())));
        return standing.removeAll(some);
    }

    /** Whether somebody heavier than that has entered behind a node. */
    boolean isArrived(Node own, int room) {
        return standing.stream()
                        .map(Standing::node)
                        .anyMatch(node ->
                                node.order() > own.order() && node.details().weight() > room)
                || gone.stream().anyMatch(one -> one.order() > own.order() && one.weight() > room);
    }
}
