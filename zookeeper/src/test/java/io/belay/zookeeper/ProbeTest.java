package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class ProbeTest {
    /** As those of a name, of which one is a member that is down. Nobody listens at the first. */
    @Test
    void allAddressesOfANameAreTried() throws Exception {
        InetAddress down = InetAddress.getByName("127.0.0.2");
        InetAddress up = InetAddress.getByName("127.0.0.1");
        try (ServerSocket listener = new ServerSocket(0, 1, up)) {
            int port = listener.getLocalPort();
            try (Socket socket = Probe.connect(new InetAddress[] {down, up}, port, 2_000)) {
                assertThat(socket.getInetAddress()).isEqualTo(up);
            }
            assertThatThrownBy(() -> Probe.connect(new InetAddress[] {down, down}, port, 2_000))
                    .isInstanceOf(ConnectException.class);
        }
    }
}
