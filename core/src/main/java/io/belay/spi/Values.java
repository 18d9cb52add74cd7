package io.belay.spi;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The records behind the smaller values of the contract: only this package calls their constructors. */
final class Values {
    private Values() {}

    record ClaimIdValue(long client, long number) implements ClaimId {
        @Override
        public String toString() {
            return Long.toHexString(client) + "-" + number;
        }
    }

    record ClaimSpecValue(int capacity, int weight, long lease, long fixedLease, boolean ifFree, boolean sticky)
            implements ClaimSpec {}

    record OwnerValue(String client, String host, long process, String thread, String behalf, long since, long lease)
            implements Owner {
        OwnerValue {
            client = cut(Objects.requireNonNull(client, "client"));
            host = cut(Objects.requireNonNull(host, "host"));
            thread = cut(Objects.requireNonNull(thread, "thread"));
            behalf = cut(Objects.requireNonNull(behalf, "behalf"));
        }

        private static String cut(String text) {
            return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
        }

        @Override
        public String toString() {
            return client + " (process " + process + " on " + host + ", thread " + thread
                    + (behalf.isEmpty() ? "" : ", for " + behalf) + ")";
        }
    }

    record PushValue(
            String resource,
            ClaimId id,
            long sequence,
            boolean granted,
            boolean wanted,
            long time,
            long deadline,
            long server)
            implements Push {
        PushValue {
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(id, "id");
            AnswerValue.check("sequence", sequence);
            AnswerValue.check("time", time);
            AnswerValue.check("deadline", deadline);
        }
    }

    record ConfirmationValue(int replicas, int wanted) implements Confirmation {}

    record CapabilitiesValue(
            boolean push, boolean leasePerClaim, boolean durableTokens, boolean expiry, boolean sharing)
            implements Capabilities {}

    record FindingValue(Severity severity, String subject, String finding, String cure) implements Finding {
        FindingValue {
            Objects.requireNonNull(severity, "severity");
            Objects.requireNonNull(subject, "subject");
            Objects.requireNonNull(finding, "finding");
            Objects.requireNonNull(cure, "cure");
        }
    }

    record TombstoneValue(ClaimId id, long until) implements Resource.Tombstone {
        TombstoneValue {
            Objects.requireNonNull(id, "id");
        }
    }

    record StepValue(Resource next, Answer answer, List<Claim> granted, List<Claim> wanted, List<Claim> ended)
            implements Step {
        StepValue {
            Objects.requireNonNull(next, "next");
            Objects.requireNonNull(answer, "answer");
            Objects.requireNonNull(granted, "granted");
            Objects.requireNonNull(wanted, "wanted");
            Objects.requireNonNull(ended, "ended");
        }
    }

    record SnapshotValue(long time, Optional<Resource> resource) implements Store.Snapshot {
        SnapshotValue {
            Objects.requireNonNull(resource, "resource");
        }
    }

    record NamePageValue(List<String> names, Optional<String> next) implements Store.NamePage {
        NamePageValue {
            names = List.copyOf(Objects.requireNonNull(names, "names"));
            Objects.requireNonNull(next, "next");
        }
    }
}
