/** Belay's fencing tokens in HTTP requests: for those who send them, and for those who are sent them. */
module io.belay.http {
    requires transitive io.belay;
    requires transitive java.net.http;
    requires static jakarta.servlet;
    requires static org.jspecify;

    exports io.belay.http;
}
