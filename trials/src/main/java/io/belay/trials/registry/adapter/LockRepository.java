package io.belay.trials.registry.adapter;

/** What stands in place of the tables of Spring's registry on databases. */
public interface LockRepository {
    void close();
}
