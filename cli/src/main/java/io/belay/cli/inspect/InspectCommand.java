package io.belay.cli.inspect;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Inspection;
import io.belay.cli.text.Json;
import io.belay.cli.text.LockNameConverter;
import io.belay.cli.text.StoreOption;
import io.belay.cli.text.Text;
import io.belay.cli.text.UrlOptions;
import io.belay.cli.text.Version;
import io.belay.support.UrlPasswords;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay inspect}, which shows who holds a lock and who waits for it. */
@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        footer = {
            "",
            "The URL may hold $${NAME} for an environment variable. A directory (file:) is only read: any user who may"
                    + " read its files can look."
        })
public final class InspectCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", converter = LockNameConverter.class, description = "The lock's full name.")
    private String name = "";

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        String url = store.sharedUrl();
        try (Belay belay = Belay.connect(
                UrlOptions.forLooking(url), BelayOptions.defaults().withClientName("inspect"))) {
            Inspection inspection = belay.admin().inspect(name);
            if (json) {
                Json.print(json(url, inspection));
            } else {
                System.out.println(text(inspection));
            }
        }
        return 0;
    }

    private static Map<String, Object> json(String url, Inspection inspection) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("store", UrlPasswords.maskUrl(url));
        object.put("name", inspection.name());
        object.put("claims", inspection.claims().stream().map(ClaimTable::json).toList());
        return object;
    }

    private static String text(Inspection inspection) {
        String name = Text.printable(inspection.name());
        return inspection.claims().isEmpty()
                ? "nobody holds " + name + ", nobody waits for it"
                : ClaimTable.text(inspection.claims());
    }
}
