package io.belay.internal;

import io.belay.ReentrantDistributedLock;
import io.belay.internal.TestWorld.Node;
import java.time.Duration;

/**
 * A process whose threads try names with a fixed lease, each name once, and end without unlocking. Prints what is left when
 * the leases are over: of its client, of its counts, and how many bytes more there are than before.
 */
final class TriedNames {
    private static final int NAMES_OF_A_THREAD = 100;

    private TriedNames() {}

    public static void main(String[] args) throws Exception {
        TestWorld world = new TestWorld();
        Node node = world.client();
        tryEach(world, node, "before", 2 * NAMES_OF_A_THREAD);
        long before = used();
        tryEach(world, node, "name", Integer.parseInt(args[0]));
        long after = used();
        System.out.println(node.size() + " " + node.levels() + " " + (after - before));
    }

    private static void tryEach(TestWorld world, Node node, String prefix, int names) throws Exception {
        for (int from = 0; from < names; from += NAMES_OF_A_THREAD) {
            int first = from;
            Thread thread = new Thread(() -> {
                for (int i = first; i < first + NAMES_OF_A_THREAD; i++) {
                    tryOne(node, prefix + i);
                }
            });
            thread.start();
            thread.join();
            world.pass(Duration.ofMillis(1));
            node.line().sent.clear();
        }
        world.pass(Duration.ofMinutes(3)); // the store remembers a name for one
        ReentrantDistributedLock last = node.client().reentrantLock("last");
        last.lock();
        last.unlock();
        node.line().sent.clear();
    }

    private static void tryOne(Node node, String name) {
        try {
            if (!node.client().reentrantLock(name).tryLock(Duration.ZERO, Duration.ofMillis(10))) {
                throw new IllegalStateException(name + " was not had");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
