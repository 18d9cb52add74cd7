package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Resources that are done by themselves, one after the other. */
class ApartTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(5);

    private final ResourceQueues queues = new ResourceQueues(1);

    private void inspect(String resource) {
        queues.add(resource, new Operation.Inspect(new CompletableFuture<>()));
    }

    private List<ResourceQueue> take(long nanos) {
        return queues.take(System.nanoTime() + nanos);
    }

    /** Whoever was done with one may be busy with something else. */
    @Test
    void theNextOneIsDoneByAThreadThatWaitsForWork() throws Exception {
        inspect("a");
        inspect("b");
        List<ResourceQueue> both = take(0);
        for (ResourceQueue queue : both) {
            queue.contention.goApart();
            ResourceUpdate job = queues.job(queue);
            inspect(queue.resource);
            queues.back(job, 0);
        }
        ResourceQueue first = take(0).get(0);
        CompletableFuture<List<ResourceQueue>> next = new CompletableFuture<>();
        Thread waits = new Thread(() -> next.complete(take(LONG)));
        waits.setDaemon(true);
        waits.start();
        await().until(() -> waits.getState() == Thread.State.TIMED_WAITING);
        queues.back(queues.job(first), 0);
        assertThat(next.get(1, TimeUnit.MINUTES)).containsExactly(both.get(1));
    }

    /** As an error came before there was a job: nobody else would do it. */
    @Test
    void whatWasTakenAndNotWorkedOnIsTakenAgain() {
        inspect("a");
        ResourceQueue queue = take(0).get(0);
        queue.contention.goApart();
        queues.back(queue);
        assertThat(take(0)).containsExactly(queue);
        queues.back(queue);
        assertThat(take(0)).as("nor does it keep the others from being done").containsExactly(queue);
    }

    /** A lease may be of an hour, and a lock be taken and given back a hundred times a second. */
    @Test
    void whatIsToBeLookedAtMuchLaterLeavesNothingInMemoryOnceItIsGivenBack() {
        for (int i = 0; i < 10_000; i++) {
            String resource = "x" + i;
            inspect(resource);
            ResourceQueue queue = take(0).get(0);
            queues.back(queues.job(queue), TimeUnit.HOURS.toNanos(1));
            inspect(resource);
            queues.back(queues.job(take(0).get(0)), 0);
        }
        assertThat(queues.alarms()).isLessThan(3_000);
    }
}
