package io.belay.cli.dashboard;

import io.belay.cli.process.Cleanup;
import io.belay.cli.text.CliException;
import io.belay.cli.text.StoreOption;
import io.belay.cli.text.UrlOptions;
import io.belay.cli.text.Version;
import io.belay.dashboard.Dashboard;
import io.belay.dashboard.DashboardOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code belay dashboard}, which serves a live page of all locks of a store. */
@Command(
        name = "dashboard",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        footer = {
            "",
            "The URL may hold $${NAME} for an environment variable. Without --token-file the page is for this machine"
                    + " alone, and for all its users. However many look, one thread reads the store; while nobody looks"
                    + " nothing is read.",
            "",
            "Exit codes: 2 wrong call, no store, or the address is taken; 130 and 143 on SIGINT and SIGTERM."
        })
public final class DashboardCommand implements Callable<Integer> {
    private static final int MOST_PORT = 65_535;

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS:PORT",
            defaultValue = "127.0.0.1:7420",
            description = "What to listen on; port 0 for one that is free. Default: ${DEFAULT-VALUE}.")
    private String listen = "";

    @Option(
            names = "--host",
            paramLabel = "NAME[:PORT]",
            description =
                    "A further name by which browsers reach the page, such as a proxy's. May be given several times.")
    private List<String> hosts = List.of();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "A file of one line: what has to be shown to see anything.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--allow-break",
            description = "Lets holds be ended from the page, by who shows the token and types the lock's name.")
    private boolean allowBreak;

    @Option(
            names = "--client",
            paramLabel = "URL",
            description = "Where a client tells its losses, outages, rates and waits, which the store does not know:"
                    + " http://HOST:8080/actuator/belay/client. May be given several times, and hold $${NAME}.")
    private List<String> clients = List.of();

    @Override
    public Integer call() throws InterruptedException {
        String url = store.sharedUrl();
        DashboardOptions options = options();
        try (Cleanup cleanup = new Cleanup()) {
            Dashboard dashboard = start(allowBreak ? UrlOptions.forChanging(url) : UrlOptions.forLooking(url), options);
            cleanup.add(dashboard::close);
            System.out.println(dashboard.url());
            System.out.flush();
            new CountDownLatch(1).await();
        }
        return 0;
    }

    private Dashboard start(String url, DashboardOptions options) {
        try {
            return Dashboard.start(url, options);
        } catch (IOException e) {
            throw CliException.usage("--listen " + listen + ": " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw CliException.usage(String.valueOf(e.getMessage()));
        }
    }

    private DashboardOptions options() {
        try {
            DashboardOptions options = DashboardOptions.at(address());
            for (String host : hosts) {
                options = options.withHost(host);
            }
            for (String client : clients) {
                options = options.withClient(client);
            }
            Optional<String> token = token();
            if (token.isPresent()) {
                options = options.withToken(token.get());
            }
            return allowBreak ? options.withBreaking(DashboardCommand::print) : options;
        } catch (IllegalArgumentException e) {
            throw CliException.usage(String.valueOf(e.getMessage()));
        }
    }

    /** Prints a line of the audit; Java says nothing of what it cannot print, and goes on to say that it could not. */
    private static void print(String line) {
        System.out.println(line);
        if (System.out.checkError()) {
            throw new IllegalStateException("the standard output cannot be written to: its disk is full, or its reader"
                    + " has gone; see to that, and start the dashboard anew");
        }
    }

    private InetSocketAddress address() {
        int colon = listen.lastIndexOf(':');
        try {
            int port = Integer.parseInt(listen.substring(colon + 1));
            if (colon > 0 && port >= 0 && port <= MOST_PORT) {
                return new InetSocketAddress(listen.substring(0, colon), port);
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw CliException.usage("--listen is " + listen + ", but must be ADDRESS:PORT, such as 127.0.0.1:7420");
    }

    private Optional<String> token() {
        if (tokenFile == null) {
            return Optional.empty();
        }
        try {
            String token = Files.readString(tokenFile).strip();
            if (token.isEmpty() || token.lines().count() > 1) {
                throw CliException.usage("--token-file " + tokenFile + " must hold one line, the token");
            }
            return Optional.of(token);
        } catch (IOException e) {
            throw CliException.usage("--token-file " + tokenFile + " cannot be read");
        }
    }
}
