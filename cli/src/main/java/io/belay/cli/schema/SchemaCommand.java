package io.belay.cli.schema;

import io.belay.BelayAdmin;
import io.belay.cli.text.StoreOption;
import io.belay.cli.text.Version;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code belay schema}, which prints or makes what has to be there in a store before it is used. */
@Command(
        name = "schema",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        footer = {
            "",
            "The URL may hold $${NAME} for an environment variable.",
            "Exit codes: 0 done; 2 usage or environment."
        })
public final class SchemaCommand implements Callable<Integer> {
    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--create", description = "Makes what is not there, and prints nothing of it.")
    private boolean create;

    @Override
    public Integer call() {
        String url = store.url();
        Optional<String> schema = BelayAdmin.schema(url);
        if (schema.isEmpty()) {
            System.err.println("nothing has to be made in this store");
        } else if (create) {
            BelayAdmin.prepare(url);
            System.err.println("all is there that this store needs");
        } else {
            System.out.println(schema.get() + ";");
        }
        return 0;
    }
}
