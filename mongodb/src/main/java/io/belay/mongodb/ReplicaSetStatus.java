package io.belay.mongodb;

import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The state of a replica set's members, as replSetGetStatus tells it, and replSetGetConfig what it is to be. */
final class ReplicaSetStatus {
    private static final int PRIMARY = 1;
    private static final int SECONDARY = 2;
    private static final int ARBITER = 7;

    /** The longest that a member may be behind: an idle set writes every ten seconds, and heartbeats take two. */
    private static final long SOON_SECONDS = 15;

    private static final BsonInt32 NONE = new BsonInt32(0);

    private ReplicaSetStatus() {}

    static List<Finding> findings(BsonDocument status, BsonDocument config) {
        List<BsonDocument> members = members(status);
        List<BsonDocument> configured = members(config);
        long newest = members.stream()
                .filter(member -> state(member) == PRIMARY)
                .mapToLong(ReplicaSetStatus::written)
                .max()
                .orElse(0);
        return members.stream()
                .map(member -> finding(member, newest, delay(member, configured)))
                .flatMap(Optional::stream)
                .toList();
    }

    private static List<BsonDocument> members(BsonDocument document) {
        return document.getArray("members", new BsonArray()).stream()
                .map(BsonValue::asDocument)
                .toList();
    }

    /** Returns for how many seconds a member is told to stay behind. */
    private static long delay(BsonDocument member, List<BsonDocument> configured) {
        return configured.stream()
                .filter(other -> other.get("_id", BsonNull.VALUE).equals(member.get("_id")))
                .mapToLong(other -> other.getNumber("secondaryDelaySecs", other.getNumber("slaveDelay", NONE))
                        .longValue())
                .findFirst()
                .orElse(0);
    }

    private static Optional<Finding> finding(BsonDocument member, long newest, long delay) {
        int state = state(member);
        long behind = (newest - written(member)) / 1000;
        boolean keepsUp = state == SECONDARY && (newest == 0 || behind - delay <= SOON_SECONDS);
        if (state == PRIMARY || state == ARBITER || keepsUp) {
            return Optional.empty();
        }
        String name = member.getString("name", new BsonString("?")).getValue();
        String what = state == SECONDARY
                ? " is " + behind + " s behind"
                : " is " + member.getString("stateStr", new BsonString("away")).getValue();
        return Optional.of(Finding.of(
                Severity.WARNING,
                "replicas",
                "The member " + name + what + ": every grant waits for a majority, which does without it now.",
                "See whether it runs and is reached, and what its log says."));
    }

    private static int state(BsonDocument member) {
        return member.getNumber("state", NONE).intValue();
    }

    /** Returns when the member's last operation was written on the primary, in milliseconds since 1970. */
    private static long written(BsonDocument member) {
        return member.getDateTime("optimeDate", new BsonDateTime(0)).getValue();
    }
}
