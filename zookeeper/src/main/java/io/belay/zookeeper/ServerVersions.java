package io.belay.zookeeper;

import io.belay.server.KnownFault;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** The versions of an ensemble's servers, which tell them by the four-letter word {@code srvr} alone. */
final class ServerVersions {
    private static final int PATIENCE_MILLIS = 2_000;
    private static final int LONGEST_ANSWER = 4096;

    /** What a server says that runs and is in no majority. */
    private static final String IDLE = "not currently serving requests";

    private static final Pattern VERSION = Pattern.compile("Zookeeper version: ([0-9][^-,\\s]*)");

    private static final List<KnownFault> KNOWN = List.of(new KnownFault(
            Severity.NOTE,
            "0",
            "3.8.0",
            "is out of support since February 2024 or longer, so nobody mends what is found in it.",
            "Use 3.8 or later."));

    private final Settings settings;
    private final TreeSet<String> versions = new TreeSet<>();
    private final List<String> silent = new ArrayList<>();
    private final List<String> down = new ArrayList<>();

    private ServerVersions(Settings settings) {
        this.settings = settings;
    }

    /** Asks each server, and returns what is known of their versions. */
    static List<Finding> findings(Settings settings) {
        ServerVersions asked = new ServerVersions(settings);
        for (String host : settings.hosts().split(",")) {
            asked.ask(host);
        }
        List<Finding> findings = new ArrayList<>();
        asked.versions.forEach(version -> findings.addAll(of(version)));
        if (!asked.down.isEmpty()) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "members",
                    String.join(", ", asked.down) + ": of an ensemble without a majority nobody gets a lock.",
                    "Bring it back, or leave out of the URL what is no member any more."));
        }
        if (!asked.silent.isEmpty()) {
            findings.add(Finding.of(
                    Severity.NOTE,
                    "not seen",
                    "The version has not been looked at, as it was not told: " + String.join(", ", asked.silent) + ".",
                    "Let what stands before it pass the four-letter word srvr, or look yourself."));
        }
        return findings;
    }

    static List<Finding> of(String version) {
        return KnownFault.in("ZooKeeper", version, KNOWN);
    }

    private void ask(String host) {
        try (Socket socket = Probe.connect(host, PATIENCE_MILLIS)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            Tls tls = settings.tls();
            String answer = tls == null ? answer(socket) : secureAnswer(socket, host, tls);
            Matcher version = VERSION.matcher(answer);
            if (version.find()) {
                versions.add(version.group(1));
                return;
            } else if (answer.contains(IDLE)) {
                down.add(host + " serves nobody now");
                return;
            }
        } catch (ConnectException | SocketTimeoutException | UnknownHostException | NoRouteToHostException e) {
            down.add(host + " does not answer");
            return;
        } catch (SSLException e) {
            down.add(host + " cannot be used by TLS (" + e.getMessage() + ")");
            return;
        } catch (IOException e) {
            // It is named below, as one that has said nothing.
        }
        silent.add(host);
    }

    private String secureAnswer(Socket socket, String host, Tls tls) throws IOException {
        SSLContext context = tls.context(settings.config());
        String name = host.substring(0, host.lastIndexOf(':'));
        try (Socket secure = Probe.secured(socket, context, name)) {
            return answer(secure);
        }
    }

    private static String answer(Socket socket) throws IOException {
        socket.getOutputStream().write("srvr\n".getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        return new String(in.readNBytes(LONGEST_ANSWER), StandardCharsets.UTF_8);
    }
}
