package io.belay.servers;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connection of one client through a {@link TcpProxy}. One thread carries what the client sends, another reads
 * what the server sends and decides what becomes of it, and a third delivers that when it is due: so a delay adds
 * to each reply, and not to all those behind it.
 */
final class Link {
    /** A piece of what the server said, to be delivered when it is due, or the end of the connection. */
    private record Piece(ByteArrayOutputStream bytes, boolean last, long due) {}

    private static final int SIZE = 16 * 1024;

    private final TcpProxy proxy;
    private final Socket client;
    private final Socket server;
    private final BlockingQueue<Piece> replies = new LinkedBlockingQueue<>();
    private final List<Thread> threads;
    private final Doubling doubling = new Doubling();
    /** True once the server's side has ended without a word to the client. */
    private volatile boolean halfOpen;

    Link(TcpProxy proxy, Socket client, Socket server) throws IOException {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        String name = "belay-proxy-" + proxy.port() + "-";
        threads = List.of(
                Sockets.daemon(name + "requests", this::carryRequests),
                Sockets.daemon(name + "replies", this::readReplies),
                Sockets.daemon(name + "delivery", this::deliverReplies));
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** Ends the server's side; the client hears nothing any more, not even that. Returns whether there was one. */
    boolean loseServer() {
        boolean ends = !halfOpen;
        halfOpen = true;
        Sockets.close(server);
        return ends;
    }

    /** Closes both ends, and ends the threads wherever they wait. */
    void close() {
        Sockets.close(client);
        Sockets.close(server);
        threads.forEach(Thread::interrupt);
        proxy.ended(this);
    }

    private void carryRequests() throws IOException, InterruptedException {
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        byte[] bytes = new byte[SIZE];
        int length = Sockets.read(in, bytes);
        RespFrames frames = framesOf(bytes, length);
        while (length >= 0) {
            proxy.awaitRequestsPass();
            // If the server is gone this fails, and the client gets what it said last before it learns that.
            pass(out, frames == null ? Arrays.copyOf(bytes, length) : requests(frames.split(bytes, length)));
            length = Sockets.read(in, bytes);
        }
        proxy.awaitRequestsPass();
        close();
    }

    private void pass(OutputStream out, byte[] request) throws IOException {
        try {
            if (!halfOpen) {
                out.write(request);
            }
        } catch (IOException e) {
            if (!halfOpen) {
                throw e;
            }
        }
    }

    private byte[] requests(List<byte[]> frames) {
        ByteArrayOutputStream passing = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            passing.writeBytes(frame);
            if (proxy.doubles(frame)) {
                passing.writeBytes(doubling.again(frame));
            }
        }
        return passing.toByteArray();
    }

    private static @Nullable RespFrames framesOf(byte[] bytes, int length) {
        return length > 0 && RespFrames.canBegin(bytes[0]) ? new RespFrames() : null;
    }

    private void readReplies() throws IOException {
        try {
            InputStream in = server.getInputStream();
            byte[] bytes = new byte[SIZE];
            int length = Sockets.read(in, bytes);
            Frames frames = length > 0 ? proxy.frames(bytes[0]) : new Chunks();
            boolean goesOn = true;
            while (goesOn && length >= 0) {
                goesOn = filter(frames, frames.split(bytes, length));
                length = goesOn ? Sockets.read(in, bytes) : -1;
            }
        } finally {
            deliver(new ByteArrayOutputStream(), true);
        }
    }

    /** Lets the wanted frames pass; returns false if the proxy loses a reply, with which the connection ends. */
    private boolean filter(Frames kind, List<byte[]> frames) {
        ByteArrayOutputStream passing = new ByteArrayOutputStream();
        boolean goesOn = true;
        for (byte[] frame : frames) {
            if (doubling.swallows(frame)) {
                continue;
            }
            if (kind.isReply(frame) && proxy.losesReply()) {
                goesOn = false;
                break;
            }
            if (!proxy.drops(frame)) {
                passing.writeBytes(frame);
            }
        }
        deliver(passing, false);
        return goesOn;
    }

    private void deliver(ByteArrayOutputStream bytes, boolean last) {
        replies.add(new Piece(bytes, last, System.nanoTime() + proxy.delayNanos()));
    }

    private void deliverReplies() throws IOException, InterruptedException {
        OutputStream out = client.getOutputStream();
        Piece piece;
        do {
            piece = replies.take();
            TimeUnit.NANOSECONDS.sleep(piece.due() - System.nanoTime());
            proxy.awaitRepliesPass();
            if (!halfOpen) {
                piece.bytes().writeTo(out);
            }
        } while (!piece.last());
        if (!halfOpen) {
            close();
        }
    }
}
