package io.belay.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterType;
import io.belay.server.ClientVersion;
import io.belay.server.ClockSamples;
import io.belay.server.KnownFault;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** A look at a server or replica set: its version, its clock, its members and its clients. Takes a refusal for an answer. */
final class Examination {
    private static final Duration CLOCK_RESOLUTION = Duration.ofMillis(1);
    private static final Duration CLOCK_SPAN = Duration.ofSeconds(1);
    private static final String AFTER_A_CRASH =
            "may miss documents, locks among them, when it was started after a crash (";

    private static final List<KnownFault> KNOWN = List.of(
            new KnownFault(Severity.WARNING, "4.4.5", "4.4.6", AFTER_A_CRASH + "WT-7426).", "Use 7.0 or later."),
            new KnownFault(Severity.WARNING, "4.4.8", "4.4.9", AFTER_A_CRASH + "WT-7984).", "Use 7.0 or later."),
            new KnownFault(
                    Severity.NOTE,
                    "0",
                    "7.0",
                    "is out of support since July 2025 or longer, so nobody mends what is found in it.",
                    "Use 7.0 or later."));

    private final MongoDatabase admin;
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private BsonDocument config = new BsonDocument();

    private Examination(MongoDatabase admin) {
        this.admin = admin;
    }

    static List<Finding> of(Connections source) {
        ClusterType type = source.type();
        MongoDocuments.readConcern(type); // refuses what cannot be used
        Examination examination = new Examination(source.client()
                .getDatabase("admin")
                .withTimeout(source.settings().timeout().toMillis(), TimeUnit.MILLISECONDS));
        try {
            examination.look(type);
        } catch (RuntimeException e) {
            throw source.failures().of(e);
        }
        return examination.findings;
    }

    private void look(ClusterType type) {
        if (type == ClusterType.STANDALONE) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "members",
                    "The server stands alone: its locks are gone with its disk, and clients look for changes instead of"
                            + " being called.",
                    "Run it as a replica set, of three members where locks are to outlive one of them."));
        } else {
            ask("replSetGetConfig", answer -> config = answer.getDocument("config", config));
            ask("replSetGetStatus", status -> findings.addAll(ReplicaSetStatus.findings(status, config)));
        }
        ask("buildInfo", info -> findings.addAll(versions(info)));
        ask("currentOp", operations -> ClientVersion.others(labels(operations)).ifPresent(findings::add));
        ask("hello", hello -> {
            if (hello.containsKey("localTime")) {
                findings.addAll(ClockSamples.take(this::micros, CLOCK_RESOLUTION, CLOCK_SPAN)
                        .findings());
            }
        });
        if (!refused.isEmpty()) {
            findings.add(Finding.of(
                    Severity.NOTE,
                    "not seen",
                    "Not everything was told, so this has not been looked at: " + String.join(", ", refused) + ".",
                    "Let the doctor use a user with the role clusterMonitor, or look yourself."));
        }
    }

    private void ask(String command, Consumer<BsonDocument> answered) {
        BsonDocument answer;
        try {
            answer = run(command);
        } catch (MongoCommandException e) {
            refused.add(command);
            return;
        }
        answered.accept(answer);
    }

    private BsonDocument run(String command) {
        BsonDocument question = new BsonDocument(command, new BsonInt32(1));
        if (command.equals("currentOp")) {
            question.append("$all", BsonBoolean.TRUE); // also those who ask for nothing now
        }
        return admin.runCommand(question, BsonDocument.class);
    }

    private long micros() {
        return run("hello").getDateTime("localTime").getValue() * 1000;
    }

    static List<Finding> versions(BsonDocument info) {
        return KnownFault.in(
                "MongoDB", info.getString("version", new BsonString("")).getValue(), KNOWN);
    }

    static List<String> labels(BsonDocument operations) {
        return operations.getArray("inprog", new BsonArray()).stream()
                .map(operation -> operation
                        .asDocument()
                        .getString("appName", new BsonString(""))
                        .getValue())
                .toList();
    }
}
