package io.belay.bench.library;

/**
 * Belay in one of its settings, as another commit has it.
 *
 * @param own the same setting of this build, which the worker processes open: only their class path differs
 * @param build where the other commit is checked out and built
 */
public record OtherBuildLibrary(Library own, Checkout build) implements Library {
    @Override
    public String name() {
        return own.name() + "-other";
    }

    @Override
    public String listedName() {
        return own.listedName();
    }

    /** Returns a name that is as long as this build's, so that neither has more to send. */
    @Override
    public String lockName() {
        return own.lockName().replace("belay", "other");
    }

    @Override
    public String store() {
        return own.store();
    }

    @Override
    public String settings() {
        return "As `" + own.name() + "`, in the other build.";
    }

    @Override
    public String classPath() {
        return build.classPath();
    }

    @Override
    public Locks open(Site site) {
        throw new IllegalStateException("this process has the classes of another build");
    }

    /** Returns false, as this is the build with which this process's own is compared. */
    @Override
    public boolean ours() {
        return false;
    }
}
