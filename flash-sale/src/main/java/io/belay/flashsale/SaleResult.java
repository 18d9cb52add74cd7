package io.belay.flashsale;

import io.belay.cli.text.CliException;
import io.belay.flashsale.load.Tally;
import io.belay.shop.ledger.SaleStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The result of a sale.
 *
 * @param plan what the sale was to be
 * @param site where the sale was
 * @param status what the ledger and the nodes say of it
 * @param tally what the clients saw
 * @param seconds how long the load took
 * @param kill the node that was killed
 * @param pause the node that was paused
 * @param handOverMillis how long after the kill another node sold first
 * @param addresses where orders are still taken
 */
record SaleResult(
        SalePlan plan,
        Site site,
        SaleStatus status,
        Tally tally,
        double seconds,
        Optional<Fault> kill,
        Optional<Fault> pause,
        OptionalLong handOverMillis,
        List<String> addresses) {
    double perSecond(long count) {
        return seconds > 0 ? count / seconds : 0;
    }

    /**
     * Returns how many orders failed: those that their clients gave up and, where the sale itself was given up, all whose end nobody
     * saw.
     */
    long failed() {
        return plan.orders() - tally.sold() - tally.soldOut() - tally.unknown();
    }

    int exitCode() {
        if (status.oversold() > 0 || status.soldTwice() > 0) {
            return CliException.OVERSOLD;
        }
        return shortcomings().isEmpty() ? 0 : CliException.FELL_SHORT;
    }

    /** Returns what the sale was to reach and did not, a line for each. */
    List<String> shortcomings() {
        List<String> lines = new ArrayList<>();
        Fault.shortcoming(Fault.Kind.KILLED, plan.killAfter(), kill).ifPresent(lines::add);
        Fault.shortcoming(Fault.Kind.PAUSED, plan.pauseAfter(), pause).ifPresent(lines::add);
        if (status.sold() < plan.target()) {
            lines.add("only " + status.sold() + " of " + plan.target() + " units were sold"
                    + (tally.unknown() > 0 ? "; " + tally.unknown() + " orders were not answered" : ""));
        }
        if (failed() > 0) {
            lines.add(failed()
                    + " orders failed: no node sold to them, or told that all was sold, before they were given up");
        }
        if (!plan.keep() && status.sold() > tally.sold() + tally.unknown() + failed()) {
            lines.add("the ledger has " + status.sold() + " orders, but only " + tally.sold() + " were confirmed");
        }
        if (tally.sold() > status.sold()) {
            lines.add("the ledger has " + status.sold() + " orders, but " + tally.sold() + " were confirmed");
        }
        if (status.soldTwice() > 0) {
            lines.add(status.soldTwice() + " orders are for units that had been sold before");
        } else if (!status.addsUp()) {
            lines.add("the stock has " + status.left() + " units left, but " + status.sold() + " of " + status.stock()
                    + " were sold: an update was lost");
        }
        return lines;
    }
}
