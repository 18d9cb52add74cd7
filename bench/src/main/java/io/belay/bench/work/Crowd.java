package io.belay.bench.work;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The threads among which numbers are dealt out; the same number always goes to the same thread. */
final class Crowd implements AutoCloseable {
    /** A task that is done for each number. */
    interface Task {
        void run(int number) throws Exception;
    }

    private final List<ExecutorService> threads = new ArrayList<>();

    Crowd(int size) {
        for (int i = 0; i < size; i++) {
            threads.add(Executors.newSingleThreadExecutor());
        }
    }

    /** Does a task for each number from 0, and waits for all. */
    void forEach(int count, Task task) throws InterruptedException, ExecutionException {
        List<Future<?>> all = new ArrayList<>();
        for (int first = 0; first < threads.size(); first++) {
            int begin = first;
            all.add(threads.get(first).submit(() -> {
                for (int number = begin; number < count; number += threads.size()) {
                    task.run(number);
                }
                return null;
            }));
        }
        for (Future<?> one : all) {
            one.get();
        }
    }

    @Override
    public void close() {
        threads.forEach(ExecutorService::shutdown);
    }
}
