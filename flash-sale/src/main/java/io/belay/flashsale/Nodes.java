package io.belay.flashsale;

import io.belay.cli.process.Cleanup;
import io.belay.cli.text.CliException;
import io.belay.flashsale.load.Server;
import io.belay.support.UrlVariables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The nodes of a sale. */
final class Nodes {
    private final List<Node> nodes = new ArrayList<>();
    private final List<Server> servers = new ArrayList<>();
    private final Cleanup cleanup;

    private Nodes(Cleanup cleanup) {
        this.cleanup = cleanup;
    }

    /** Starts the nodes and waits until all take orders. */
    static Nodes start(SalePlan plan, Path directory, String store, String ledger, Cleanup cleanup)
            throws IOException, InterruptedException {
        Nodes all = new Nodes(cleanup);
        cleanup.add(all::stop);
        for (int i = 1; i <= plan.nodes(); i++) {
            String name = "node-" + i;
            all.add(name, environment(name, plan, store, ledger), directory);
        }
        for (Node node : all.nodes) {
            all.servers.add(node.awaitReady());
        }
        return all;
    }

    /** Starts one, unless a signal has ended the sale, which would not know of it. */
    private synchronized void add(String name, Map<String, String> environment, Path directory) throws IOException {
        if (areEnding()) {
            throw CliException.fellShort("the sale was ended before " + name + " was started");
        }
        nodes.add(Node.start(name, environment, directory, cleanup));
    }

    /** Asks all nodes to end at once, as each takes a moment, and waits until they have. */
    private synchronized void stop() {
        nodes.forEach(Node::askToStop);
        nodes.forEach(Node::stop);
    }

    /** Returns whether a signal has ended the sale: what becomes of orders then is no failure, to be told. */
    boolean areEnding() {
        return cleanup.begun();
    }

    private static Map<String, String> environment(String name, SalePlan plan, String store, String ledger) {
        Map<String, String> environment = new HashMap<>();
        // Not what is in the directory where the sale was called.
        environment.put("SPRING_CONFIG_LOCATION", "classpath:/");
        environment.put("SERVER_PORT", "0");
        environment.put("SERVER_ADDRESS", "127.0.0.1");
        environment.put("BELAY_SHOP_NODE", name);
        // By way of other variables: a node that expanded ${BELAY_SHOP_STORE}, say, would find what is put here.
        environment.put("BELAY_SHOP_STORE", "${BELAY_SALE_STORE}");
        environment.put("BELAY_SALE_STORE", UrlVariables.expand(store));
        environment.put("BELAY_SHOP_LEDGER", "${BELAY_SALE_LEDGER}");
        environment.put("BELAY_SALE_LEDGER", UrlVariables.expand(ledger));
        environment.put("BELAY_SHOP_STRATEGY", plan.strategy().toString());
        if (plan.segments() > 0) {
            environment.put("BELAY_SHOP_SEGMENTS", Integer.toString(plan.segments()));
        }
        environment.put("BELAY_SHOP_GUARD", plan.guard() ? "on" : "off");
        environment.put("BELAY_SHOP_LEASE", plan.lease().toString());
        environment.put("BELAY_SHOP_WAIT", plan.longestWait().toString());
        environment.put("BELAY_SHOP_WORK", plan.work().toString());
        environment.put("BELAY_SHOP_STOPWITHPARENT", "true");
        return environment;
    }

    /** Returns the nodes as servers with their addresses, in their order. */
    List<Server> servers() {
        return servers;
    }

    List<Server> living() {
        return servers.stream().filter(server -> node(server).isAlive()).toList();
    }

    /** Sends no more orders to nodes that have ended. */
    void leaveOutTheDead() {
        servers.stream().filter(server -> !node(server).isAlive()).forEach(Server::markGone);
    }

    Node node(Server server) {
        return nodes.get(servers.indexOf(server));
    }

    Optional<Server> byPid(long pid) {
        return servers.stream().filter(server -> node(server).pid() == pid).findFirst();
    }
}
