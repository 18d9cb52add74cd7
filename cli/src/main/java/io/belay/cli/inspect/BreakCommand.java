package io.belay.cli.inspect;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Inspection.Claim;
import io.belay.cli.text.CliException;
import io.belay.cli.text.LockNameConverter;
import io.belay.cli.text.StoreOption;
import io.belay.cli.text.Text;
import io.belay.cli.text.UrlOptions;
import io.belay.cli.text.Version;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay break}, which takes a lock away from those who hold it. */
@Command(
        name = "break",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        footer = {
            "",
            "This breaks exclusion: until a holder has been told, it may work beside the next one. It is told by whom"
                    + " and from where; only a guard that checks the fencing token protects the resource meanwhile.",
            "",
            "Exit codes: 0 done, 1 nobody held it, others than were shown, or the answer was no, 2 wrong call or no store."
        })
public final class BreakCommand implements Callable<Integer> {
    /** The time for which this client stays after it has broken a lock, so that holders can read by whom. */
    private static final long STAY_MILLIS = 500;

    @Parameters(paramLabel = "NAME", converter = LockNameConverter.class, description = "The lock's full name.")
    private String name = "";

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--yes", description = "Asks nothing, for scripts.")
    private boolean yes;

    @Override
    public Integer call() throws Exception {
        String url = UrlOptions.forChanging(store.sharedUrl());
        try (Belay belay = Belay.connect(url, BelayOptions.defaults().withClientName("belay break"))) {
            List<Claim> holders = holders(belay);
            String shown = Text.printable(name);
            if (holders.isEmpty()) {
                System.out.println("nobody holds " + shown);
                return CliException.FELL_SHORT;
            }
            System.out.println("To be taken away from:\n" + ClaimTable.text(holders));
            if (!yes && !(isSure(shown) && areStillAll(holders, belay))) {
                System.out.println("nothing was done");
                return CliException.FELL_SHORT;
            }
            boolean held = belay.onBehalfOf(System.getProperty("user.name", ""))
                    .admin()
                    .forceRelease(name);
            System.out.println(
                    held
                            ? shown
                                    + " was taken away; who held it is told at once, or when it renews its lease or that ends"
                            : "nobody holds " + shown + " any more");
            Thread.sleep(STAY_MILLIS);
            return held ? 0 : CliException.FELL_SHORT;
        }
    }

    private List<Claim> holders(Belay belay) {
        return belay.admin().inspect(name).claims().stream()
                .filter(claim -> claim.place() == 0)
                .toList();
    }

    /** Shows who holds it by now if there is anybody whom the question did not show: they may have come while it was thought over. */
    private boolean areStillAll(List<Claim> asked, Belay belay) {
        List<Claim> now = holders(belay);
        Set<Long> known = asked.stream().map(Claim::token).collect(Collectors.toSet());
        boolean all = now.stream().allMatch(holder -> known.contains(holder.token()));
        if (!all) {
            System.out.println("Others hold it by now:\n" + ClaimTable.text(now));
        }
        return all;
    }

    private boolean isSure(String shown) throws IOException {
        System.out.print(
                "Until they have been told, they may work beside the next holder. Type the lock's name to go on: ");
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
        // Who has not been shown the holders, as where the disk is full, has not been asked.
        String answer = System.out.checkError() ? null : reader.readLine();
        if (answer == null) {
            System.out.println();
            throw CliException.usage("nobody answers; give --yes where nobody can be asked");
        }
        return answer.equals(name) || answer.strip().equals(shown); // a name may have spaces at its ends
    }
}
