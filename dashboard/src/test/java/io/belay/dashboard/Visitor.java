package io.belay.dashboard;

import io.belay.servers.Pace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks a dashboard as a browser does, or as one should not: by a socket, as Java's client sets some headers itself. */
final class Visitor {
    /** What came back. */
    record Answer(int status, String head, String body) {}

    private final InetSocketAddress address;
    private final Map<String, String> headers = new LinkedHashMap<>();

    Visitor(Dashboard dashboard) {
        this(dashboard.address());
    }

    Visitor(InetSocketAddress address) {
        this.address = address;
        headers.put("Host", "127.0.0.1:" + address.getPort());
    }

    /** Returns one that sends a header, too, or another than this one. */
    Visitor with(String name, String value) {
        Visitor other = new Visitor(address);
        other.headers.putAll(headers);
        other.headers.put(name, value);
        return other;
    }

    Answer get(String path) throws IOException {
        return ask("GET", path, "");
    }

    Answer post(String path, Map<String, String> form) throws IOException {
        return ask("POST", path, encoded(form));
    }

    /** Signs in as a browser does, and returns one that shows the cookie. */
    Visitor signedIn(String token) throws IOException {
        Answer answer = post("/sign-in", Map.of("token", token));
        return with("Cookie", answer.head().split("(?i)Set-Cookie: ", 2)[1].split(";", 2)[0]);
    }

    Answer ask(String method, String path, String body) throws IOException {
        try (Socket socket = send(method, path, body);
                InputStream in = socket.getInputStream()) {
            String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            int end = all.indexOf("\r\n\r\n");
            return new Answer(Integer.parseInt(all.split(" ", 3)[1]), all.substring(0, end), all.substring(end + 4));
        }
    }

    private Socket send(String method, String path, String body) throws IOException {
        Socket socket = new Socket();
        send(socket, method, path, body);
        return socket;
    }

    private void send(Socket socket, String method, String path, String body) throws IOException {
        // By HTTP/1.0 a stream comes as it is, and not in chunks.
        String protocol = path.startsWith("/events") ? "HTTP/1.0" : "HTTP/1.1";
        List<String> lines = new ArrayList<>(List.of(method + " " + path + " " + protocol, "Connection: close"));
        headers.forEach((name, value) -> lines.add(name + ": " + value));
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0) {
            lines.add("Content-Type: application/x-www-form-urlencoded");
            lines.add("Content-Length: " + bytes.length);
        }
        socket.connect(address);
        socket.setSoTimeout((int) Pace.patience().toMillis());
        socket.getOutputStream().write((String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** Opens a stream, as the page does. */
    Look look(String search, String open) throws IOException {
        return new Look(send("GET", "/events?" + encoded(Map.of("search", search, "open", open)), ""));
    }

    /** Opens a stream, and takes as little of it as can be. */
    Socket lookAway() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(1); // as few as the system allows
        send(socket, "GET", "/events", "");
        return socket;
    }

    /** Opens the page, and returns what it shows when it changes something. */
    String pageSecret() throws IOException {
        return get("/").body().split("belay-page\" content=\"", 2)[1].split("\"", 2)[0];
    }

    static String encoded(Map<String, String> form) {
        return form.entrySet().stream()
                .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    /** A stream that is being read. For one thread. */
    static final class Look implements AutoCloseable {
        private static final JsonMapper MAPPER = JsonMapper.shared();

        private final Socket socket;
        private final BufferedReader reader;

        Look(Socket socket) throws IOException {
            this.socket = socket;
            reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        /** Reads the next frame. */
        JsonNode next() throws IOException {
            return MAPPER.readTree(nextText());
        }

        /** Reads the next frame, and makes nothing of it. */
        String nextText() throws IOException {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith("data: ")) {
                    return line.substring("data: ".length());
                }
            }
            throw new IOException("the stream has ended");
        }

        /** Reads the first event with all that comes before it; less, if the stream ends there. */
        String firstEvent() throws IOException {
            StringBuilder text = new StringBuilder();
            boolean isIn = false;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                text.append(line).append('\n');
                if (isIn && line.isEmpty()) {
                    break;
                }
                isIn |= line.startsWith("data: ");
            }
            return text.toString();
        }

        /** Reads until a frame is as it should be; a test that waits in vain is ended by its time limit. */
        JsonNode until(Predicate<JsonNode> right) throws IOException {
            JsonNode frame = next();
            while (!right.test(frame)) {
                frame = next();
            }
            return frame;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** Returns the row of a lock in a frame. */
    static List<JsonNode> rows(JsonNode frame, String name) {
        List<JsonNode> rows = new ArrayList<>();
        frame.get("rows").forEach(row -> {
            if (row.get("name").asString().equals(name)) {
                rows.add(row);
            }
        });
        return rows;
    }
}
