package io.belay.cli.inspect;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Inspection;
import io.belay.Inspection.Claim;
import io.belay.cli.text.Json;
import io.belay.cli.text.Text;
import io.belay.cli.text.UrlOptions;
import io.belay.cli.text.Version;
import io.belay.shop.text.Urls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay inspect}, which shows who holds a lock and who waits for it. */
@Command(
        name = "inspect",
        description = "Shows who holds a lock and who waits for it.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        footer = {
            "",
            "The URL may hold $${NAME} for an environment variable. A directory (file:) is only read: any user who may"
                    + " read its files can look."
        })
public final class InspectCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "The lock's full name.")
    private String name = "";

    @Option(names = "--store", paramLabel = "URL", description = "Where the lock is.")
    private @Nullable String store;

    @Option(names = "--store-file", paramLabel = "FILE", description = "Reads the store's URL from a file.")
    private @Nullable Path storeFile;

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        String url = UrlOptions.require("store", store, storeFile);
        UrlOptions.refuseMemory(url);
        try (Belay belay = Belay.connect(
                UrlOptions.forLooking(url), BelayOptions.defaults().withClientName("inspect"))) {
            Inspection inspection = belay.inspect(name);
            if (json) {
                Json.print(json(url, inspection));
            } else {
                System.out.println(text(inspection));
            }
        }
        return 0;
    }

    private static Map<String, Object> json(String url, Inspection inspection) {
        List<Map<String, Object>> claims = new ArrayList<>();
        for (Claim claim : inspection.claims()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("place", claim.place());
            object.put("client", claim.client());
            object.put("host", claim.host());
            object.put("process", claim.process());
            object.put("thread", claim.thread());
            object.put("ageMillis", claim.age().toMillis());
            object.put("remainingMillis", claim.remaining().toMillis());
            object.put("token", claim.token());
            object.put("localWaiters", claim.localWaiters());
            claims.add(object);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("store", Urls.mask(url));
        object.put("name", inspection.name());
        object.put("claims", claims);
        return object;
    }

    private static String text(Inspection inspection) {
        String name = Text.printable(inspection.name());
        if (inspection.claims().isEmpty()) {
            return "nobody holds " + name + ", nobody waits for it";
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("PLACE", "CLIENT", "HOST", "PROCESS", "THREAD", "AGE", "REMAINING", "TOKEN", "LOCAL WAITERS"));
        for (Claim claim : inspection.claims()) {
            rows.add(List.of(
                    claim.place() == 0 ? "holds" : Integer.toString(claim.place()),
                    Text.printable(claim.client()),
                    Text.printable(claim.host()),
                    Long.toString(claim.process()),
                    Text.printable(claim.thread()),
                    seconds(claim.age()),
                    seconds(claim.remaining()),
                    claim.token() == 0 ? "-" : Long.toString(claim.token()),
                    Integer.toString(claim.localWaiters())));
        }
        return Text.table(rows);
    }

    private static String seconds(Duration duration) {
        return Text.format("%.3fs", duration.toNanos() / 1e9);
    }
}
