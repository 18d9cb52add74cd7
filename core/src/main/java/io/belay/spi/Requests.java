package io.belay.spi;

import java.util.Objects;

/** The records behind the requests: only this package calls their constructors. */
final class Requests {
    private Requests() {}

    private static void check(String resource, ClaimId id) {
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(id, "id");
    }

    record Enter(String resource, ClaimId id, ClaimSpec spec, int localWaiters, Owner owner, long proposed)
            implements Request.Enter {
        Enter {
            check(resource, id);
            Objects.requireNonNull(spec, "spec");
            Objects.requireNonNull(owner, "owner");
        }

        @Override
        public Step applyTo(Resource state, long now) {
            return Objects.requireNonNull(state, "state").enter(this, now);
        }
    }

    record Leave(String resource, ClaimId id, boolean unclear) implements Request.Leave {
        Leave {
            check(resource, id);
        }

        @Override
        public Step applyTo(Resource state, long now) {
            return Objects.requireNonNull(state, "state").leave(id, unclear, now);
        }
    }

    record Renew(String resource, ClaimId id, long sequence, long lease, int localWaiters, boolean fresh)
            implements Request.Renew {
        Renew {
            check(resource, id);
        }

        @Override
        public Step applyTo(Resource state, long now) {
            return Objects.requireNonNull(state, "state").renew(this, now);
        }
    }

    record Yield(String resource, ClaimId id, long sequence, long lease, int localWaiters) implements Request.Yield {
        Yield {
            check(resource, id);
        }

        @Override
        public Step applyTo(Resource state, long now) {
            return Objects.requireNonNull(state, "state").yield(this, now);
        }
    }

    record Reweight(String resource, ClaimId id, long sequence, int reweights, int weight) implements Request.Reweight {
        Reweight {
            check(resource, id);
        }

        @Override
        public Step applyTo(Resource state, long now) {
            return Objects.requireNonNull(state, "state").reweight(this, now);
        }
    }

    record Fix(String resource, ClaimId id, long sequence, int reweights, long lease) implements Request.Fix {
        Fix {
            check(resource, id);
            if (reweights < 0 || lease < 1) {
                throw new IllegalArgumentException("not a fix: " + reweights + " changes, a lease of " + lease);
            }
        }

        @Override
        public Step applyTo(Resource state, long now) {
            return Objects.requireNonNull(state, "state").fix(this, now);
        }
    }

    record Describe(String resource, ClaimId id, long sequence, Owner owner) implements Request.Describe {
        Describe {
            check(resource, id);
            Objects.requireNonNull(owner, "owner");
        }

        @Override
        public Step applyTo(Resource state, long now) {
            return Objects.requireNonNull(state, "state").describe(this, now);
        }
    }

    record Skip(String resource, ClaimId id, long sequence) implements Request.Skip {
        Skip {
            check(resource, id);
        }

        @Override
        public Step applyTo(Resource state, long now) {
            return Objects.requireNonNull(state, "state").skip(this, now);
        }
    }

    record Resize(String resource, int capacity) implements Request.Resize {
        Resize {
            Objects.requireNonNull(resource, "resource");
        }

        @Override
        public Step applyTo(Resource state, long now) {
            return Objects.requireNonNull(state, "state").resize(capacity, now);
        }
    }

    record Evict(String resource) implements Request.Evict {
        Evict {
            Objects.requireNonNull(resource, "resource");
        }

        @Override
        public Step applyTo(Resource state, long now) {
            return Objects.requireNonNull(state, "state").evict(now);
        }
    }
}
