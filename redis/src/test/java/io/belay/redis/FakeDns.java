package io.belay.redis;

import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** A name server that gives every host the same addresses, to be kept for ten minutes. */
final class FakeDns implements AutoCloseable {
    private static final int HEADER = 12;
    private static final int IP_V4 = 1;

    private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    private final Thread answering = new Thread(this::answer, "fake-dns");
    volatile List<String> addresses;

    FakeDns(String... addresses) throws IOException {
        this.addresses = List.of(addresses);
        answering.start();
    }

    DnsServerAddressStreamProvider provider() {
        return new SingletonDnsServerAddressStreamProvider((InetSocketAddress) socket.getLocalSocketAddress());
    }

    private void answer() {
        byte[] bytes = new byte[512];
        while (!socket.isClosed()) {
            try {
                DatagramPacket asked = new DatagramPacket(bytes, bytes.length);
                socket.receive(asked);
                byte[] told = answerTo(ByteBuffer.wrap(bytes, 0, asked.getLength()));
                socket.send(new DatagramPacket(told, told.length, asked.getSocketAddress()));
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private byte[] answerTo(ByteBuffer question) throws IOException {
        int end = HEADER;
        for (int length = question.get(end); length > 0; length = question.get(end)) {
            end += length + 1;
        }
        end++;
        List<String> told = question.getShort(end) == IP_V4 ? addresses : List.of();
        ByteBuffer answer = ByteBuffer.allocate(512);
        answer.putShort(question.getShort(0)).putShort((short) 0x8180); // an answer without an error
        answer.putShort((short) 1).putShort((short) told.size()).putInt(0);
        answer.put(question.slice(HEADER, end + 4 - HEADER));
        for (String address : told) {
            answer.putShort((short) 0xC00C).putShort((short) IP_V4).putShort((short) 1); // the name asked for
            answer.putInt(600).putShort((short) 4);
            answer.put(InetAddress.getByName(address).getAddress());
        }
        byte[] whole = new byte[answer.position()];
        answer.flip().get(whole);
        return whole;
    }

    @Override
    public void close() throws InterruptedException {
        socket.close();
        answering.join();
    }
}
