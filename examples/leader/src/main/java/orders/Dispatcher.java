package orders;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.LeaderElection;
import io.belay.Lease;

/** One of several: the one that leads dispatches orders, the others wait, and the first of them takes over when it ends. */
public class Dispatcher {
    public static void main(String[] args) throws InterruptedException {
        String url = args.length > 0 ? args[0] : "file:${HOME}/.belay/dispatcher";
        int orders = args.length > 1 ? Integer.parseInt(args[1]) : 600; // a minute
        String name = "dispatcher-" + ProcessHandle.current().pid();
        BelayOptions options = BelayOptions.defaults().withClientName(name);
        try (Belay belay = Belay.connect(url, options)) {
            LeaderElection election = belay.election("dispatcher");
            try (Lease term = election.campaign()) { // waits until this process leads
                System.out.println(name + " leads, by token " + term.token());
                dispatch(term, orders);
            } // resigns
            System.out.println(name + " has resigned");
        }
    }

    private static void dispatch(Lease term, int orders) throws InterruptedException {
        for (int order = 1; order <= orders; order++) {
            // Asks the local clock, not the store. What is written should carry the token, so that a late leader is refused.
            if (!term.isHeld()) {
                System.out.println("lost the lead before order " + order);
                return;
            }
            System.out.println("order " + order + " by token " + term.token());
            Thread.sleep(100);
        }
    }
}
