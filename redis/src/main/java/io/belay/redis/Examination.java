package io.belay.redis;

import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import io.lettuce.core.SslVerifyMode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The state of a server as it was seen, and what it means for locks.
 *
 * @param settings how it was reached
 * @param server what INFO told
 * @param parameters what CONFIG GET told; empty if it was refused
 * @param users what ACL GETUSER told of the user itself and of the default one; empty if it was refused
 * @param watched what its clients' names, its clock and its replicas show
 * @param sentinels what sentinels told; empty where there are none
 * @param refused what could not be asked: names of commands, as they stand in an ACL rule
 */
record Examination(
        Settings settings,
        ServerInfo server,
        Optional<Map<String, String>> parameters,
        Optional<Map<String, AclUser>> users,
        List<Finding> watched,
        Optional<SentinelFindings> sentinels,
        List<String> refused) {
    /** The parameter by which a node of a cluster serves nobody while a slot has no master. */
    static final String COVERAGE = "cluster-require-full-coverage";

    private static final String KEEP = "noeviction";
    private static final Pattern PUSH_BUFFERS = Pattern.compile("pubsub (\\d{1,18}) (\\d{1,18})");

    /** The values of tls-port without a port; none is told where the server was built without TLS. */
    private static final Set<String> CLOSED = Set.of("", "0");

    /** An address in the parameter bind. With a minus before it none is looked for in vain. */
    private static final Pattern LOOPBACK = Pattern.compile("-?(127\\.[0-9.]+|::1|localhost)");

    /** The size of some thousand pushes, in bytes. */
    private static final long SMALL_BUFFER = 1 << 20;

    private static final String GUARD = ", or guard what the locks protect by their tokens.";

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        provider(findings);
        memory(findings);
        persistence(findings);
        findings.addAll(new ReplicaFindings(server, settings.replicas()).findings());
        sentinels.ifPresent(seen -> findings.addAll(seen.findings()));
        connections(findings);
        network(findings);
        access(findings);
        channels(findings);
        findings.addAll(RedisFaults.of(server));
        others(findings);
        return findings;
    }

    /** Returns whether the master of a cluster is known to serve nobody while any slot has no master. */
    boolean needsAllSlots() {
        return parameter(COVERAGE).equals("yes");
    }

    private String parameter(String name) {
        return parameters.map(all -> all.getOrDefault(name, "")).orElse("");
    }

    /** Tells of a server that is known to let no client of Belay's in, or to do things in another way. */
    private void provider(List<Finding> findings) {
        Provider.of(server)
                .filter(provider -> provider.verdict() != Provider.Verdict.WORKS)
                .ifPresent(provider -> {
                    boolean refused = provider.verdict() == Provider.Verdict.REFUSED;
                    findings.add(Finding.of(
                            refused ? Severity.DANGER : Severity.NOTE,
                            "server",
                            "This is " + provider.name()
                                    + (refused
                                            ? ", which cannot keep what a lock promises: no client is let in."
                                            : ", where locks work with limits."),
                            refused
                                    ? "Use a server with one master that runs scripts one at a time, see docs/redis-providers.md."
                                    : "Read docs/redis-providers.md on what is done in another way there."));
                });
    }

    private void memory(List<Finding> findings) {
        String policy = server.get("maxmemory_policy");
        long limit = server.number("maxmemory");
        long used = server.number("used_memory");
        boolean keeps = policy.isEmpty() || policy.equals(KEEP);
        if (!keeps) {
            findings.add(Finding.of(
                    limit > 0 ? Severity.DANGER : Severity.WARNING,
                    "eviction",
                    limit > 0
                            ? "The maxmemory-policy " + policy
                                    + " removes keys when memory is full, and a lock that is removed while it is held"
                                    + " gets a second holder."
                            : "The maxmemory-policy is " + policy
                                    + ", which removes locks while they are held once there is a maxmemory and it is"
                                    + " reached.",
                    "Set maxmemory-policy " + KEEP + ", or use another server for locks."));
        } else if (limit > 0 && used / 4 > limit / 5) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "memory",
                    used * 100 / limit + " % of maxmemory are used, and a full server lets nobody "
                            + (freesWhenFull() ? "take a lock." : "take, renew or release a lock."),
                    "Raise maxmemory, or see what fills it."));
        }
    }

    /** Returns whether renewals, and what frees memory, may run while the server has none to spare. */
    private boolean freesWhenFull() {
        return server.isAtLeast(7, 0);
    }

    private void persistence(List<Finding> findings) {
        boolean log = server.number("aof_enabled") == 1;
        if (log && isFailed("aof_last_write_status")) {
            findings.add(refusing("append-only file", "Free its disk, and see its log."));
        } else if (isFailed("rdb_last_bgsave_status") && stopsWithoutSnapshots()) {
            findings.add(refusing(
                    "snapshot",
                    "Free its disk or memory, and see its log; or set stop-writes-on-bgsave-error no, where locks matter"
                            + " more than snapshots."));
        }
        kept(findings, log);
    }

    private boolean isFailed(String status) {
        return server.get(status).equals("err");
    }

    /** Returns whether it refuses what writes where its last snapshot has failed. What is not told is as by default. */
    private boolean stopsWithoutSnapshots() {
        return !parameter("stop-writes-on-bgsave-error").equals("no")
                && (parameters.isEmpty() || !parameter("save").isEmpty());
    }

    private static Finding refusing(String what, String cure) {
        return Finding.of(
                Severity.DANGER,
                "persistence",
                "The last " + what + " could not be written, and so the server refuses all that writes: no lock is"
                        + " granted, renewed or given back.",
                cure);
    }

    private void kept(List<Finding> findings, boolean log) {
        String sync = parameter("appendfsync");
        if (log && sync.equals("everysec")) {
            findings.add(Finding.of(
                    Severity.NOTE,
                    "persistence",
                    "The append-only file is synced each second, so a machine that fails may forget what its last one or"
                            + " two seconds have granted.",
                    "Set appendfsync always" + GUARD));
        } else if (log && sync.equals("no")) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "persistence",
                    "The append-only file is synced when the system likes, so a machine that fails may forget what its"
                            + " last half minute has granted.",
                    "Set appendfsync always or everysec" + GUARD));
        } else if (!log) {
            String kept = parameters.isEmpty()
                    ? "There is no append-only file, so a restart forgets locks"
                    : parameter("save").isEmpty()
                            ? "Nothing is kept on disk, so a restart forgets all locks"
                            : "Only snapshots are kept on disk, so a restart brings back old locks and forgets newer ones";
            findings.add(Finding.of(
                    Severity.WARNING,
                    "persistence",
                    kept + ", and one that was held may have two holders until the first is connected again.",
                    "Set appendonly yes" + GUARD));
        }
    }

    private void connections(List<Finding> findings) {
        long most = server.number("maxclients");
        long now = server.number("connected_clients");
        if (most > 0 && now * 10 > most * 9) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "connections",
                    now + " of " + most + " connections are in use, and a client that gets none gets no lock.",
                    "Raise maxclients, or see who has so many."));
        }
        String timeout = parameter("timeout");
        // Redis never ends a connection that has subscribed, and with RESP3 there is only that one.
        if (!settings.resp3() && !timeout.isEmpty() && !timeout.equals("0")) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "idle connections",
                    "The server ends connections that are idle for " + timeout
                            + " s, and with protocol=resp2 that is each client that neither holds nor waits.",
                    "Set timeout 0, or leave out protocol=resp2."));
        }
        Matcher buffers = PUSH_BUFFERS.matcher(parameter("client-output-buffer-limit"));
        if (buffers.find() && (isSmall(buffers.group(1)) || isSmall(buffers.group(2)))) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "buffers",
                    "The server ends a subscriber's connection when less than 1 MB waits for it (" + buffers.group()
                            + "), and every client of Belay is one.",
                    "Set client-output-buffer-limit \"pubsub 32mb 8mb 60\", as it is by default."));
        }
    }

    private static boolean isSmall(String bytes) {
        long limit = Long.parseLong(bytes);
        return limit > 0 && limit < SMALL_BUFFER;
    }

    private void network(List<Finding> findings) {
        if (settings.secure() && settings.tls().verify() == SslVerifyMode.NONE) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "encryption",
                    "Nobody checks whose certificate it is (verify=none), so whoever stands between can pass for the"
                            + " server.",
                    "Leave out verify=none, and name the file of its CA by ca=."));
        } else if (!settings.secure() && settings.socket().isEmpty() && !isLoopback(settings.host())) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "encryption",
                    "Passwords and locks go over the network to " + settings.host()
                            + " in clear, where others may read and change them.",
                    "Let the server speak TLS, and write rediss://."));
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private void access(List<Finding> findings) {
        String own = settings.userName();
        Map<String, AclUser> known = users.orElse(Map.of());
        boolean anybody = settings.password() == null
                || known.getOrDefault(AclUser.DEFAULT, AclUser.UNKNOWN).open();
        AclUser user = known.getOrDefault(own, AclUser.UNKNOWN);
        if (anybody
                && asksForNothing()
                && !isLoopbackAlone()
                && parameter("protected-mode").equals("no")) {
            findings.add(Finding.of(
                    Severity.DANGER,
                    "password",
                    "Whoever reaches the port, from other machines too, is let in without a password and can break"
                            + " locks.",
                    "Give the default user a password or turn it off (ACL SETUSER default off), and set protected-mode"
                            + " yes."));
        } else if ((anybody || user.open()) && asksForNothing()) {
            String name = anybody ? AclUser.DEFAULT : own;
            findings.add(Finding.of(
                    Severity.WARNING,
                    "password",
                    "The user " + name + " has no password, so whoever reaches the port can break locks.",
                    "Run ACL SETUSER " + name + " resetpass >PASSWORD to give it one."));
        } else if (user.mighty()) {
            findings.add(Finding.of(
                    Severity.NOTE,
                    "rights",
                    "The user " + own + " may run every command, and locks need few.",
                    "Run ACL SETUSER NAME on >PASSWORD " + settings.rights() + " to make one for locks alone."));
        }
    }

    /** Tells of others who may publish what clients believe. Who may run every command could delete locks as well. */
    private void channels(List<Finding> findings) {
        AclUser anybody = users.orElse(Map.of()).getOrDefault(AclUser.DEFAULT, AclUser.UNKNOWN);
        boolean byDefault = parameter("acl-pubsub-default").equals("allchannels");
        if (byDefault || (anybody.loud() && !anybody.mighty())) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "channels",
                    (byDefault
                                    ? "Each new user of the server may publish on all channels (acl-pubsub-default"
                                            + " allchannels)"
                                    : "The user " + AclUser.DEFAULT + " may publish on all channels")
                            + ", and whoever may publish on " + settings.prefix() + "* can grant and end locks.",
                    (byDefault ? "Set acl-pubsub-default resetchannels, and run" : "Run")
                            + " ACL SETUSER NAME resetchannels for each user that needs no locks."));
        }
    }

    /** Returns whether there is a port where no certificate is asked for. What is not told is taken for open. */
    private boolean asksForNothing() {
        return !parameter("port").equals("0")
                || (!CLOSED.contains(parameter("tls-port"))
                        && !parameter("tls-auth-clients").equals("yes"));
    }

    private boolean isLoopbackAlone() {
        String bind = parameter("bind");
        return !bind.isEmpty()
                && Arrays.stream(bind.split(" "))
                        .allMatch(host -> LOOPBACK.matcher(host).matches());
    }

    private void others(List<Finding> findings) {
        if (!freesWhenFull()) {
            findings.add(Finding.of(
                    Severity.NOTE,
                    "version",
                    "This is Redis " + server.version()
                            + ", which refuses renewals and releases, too, when its memory is full.",
                    "Use 7.0 or later, which lets them through."));
        }
        findings.addAll(watched);
        if (!refused.isEmpty()) {
            findings.add(Finding.of(
                    Severity.NOTE,
                    "not seen",
                    "The user " + settings.userName() + " may not ask for everything, so this has not been looked at: "
                            + unseen() + ".",
                    "Run ACL SETUSER " + settings.userName() + " +" + String.join(" +", refused)
                            + " to let it ask, or look yourself."));
        }
    }

    private String unseen() {
        List<String> parts = new ArrayList<>();
        for (String command : refused) {
            parts.add(
                    switch (command) {
                        case "config|get" -> "what is kept on disk, limits on connections, protected mode";
                        case "acl|getuser" -> "the rights of its users, and whether they have passwords";
                        case "client|list" -> "the versions of its clients";
                        default -> "the clock";
                    });
        }
        return String.join("; ", parts);
    }
}
