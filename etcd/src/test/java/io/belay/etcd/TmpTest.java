package io.belay.etcd;

import io.belay.*;
import io.belay.servers.EtcdServer;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import org.junit.jupiter.api.Test;

class TmpTest {
    @Test
    void m() throws Exception {
        try (EtcdServer s = EtcdServer.start();
                EtcdSpec spec = new EtcdSpec(s);
                Belay a = Belay.connect(spec.url());
                Belay b = Belay.connect(spec.url())) {
            ExecutorService ex = Executors.newCachedThreadPool();
            List<Future<?>> fs = new ArrayList<>();
            long begun = System.nanoTime();
            for (int t = 0; t < 4; t++) {
                Belay belay = t % 2 == 0 ? a : b;
                MultiLock lock = MultiLock.of(belay, t < 2 ? List.of("p", "q", "r", "q") : List.of("r", "q", "p"));
                fs.add(ex.submit(() -> {
                    for (int i = 0; i < 20; i++) {
                        long s0 = System.nanoTime();
                        Lease l = lock.acquire();
                        long s1 = System.nanoTime();
                        l.release();
                        long s2 = System.nanoTime();
                        if (s2 - s0 > 300_000_000L) System.err.println(Thread.currentThread().getName() + " " + (s1 - s0) / 1000 + " " + (s2 - s1) / 1000);
                    }
                    return null;
                }));
            }
            Thread.sleep(4000);
            for (int k = 0; k < 2; k++) {
            try (var c = io.etcd.jetcd.Client.builder().endpoints("http://127.0.0.1:" + s.port()).build()) {
                for (var kv : c.getKVClient().get(io.etcd.jetcd.ByteSequence.from(new byte[] {0}), io.etcd.jetcd.options.GetOption.builder().withRange(io.etcd.jetcd.ByteSequence.from(new byte[] {0})).build()).get().getKvs()) {
                    System.err.println(kv.getKey() + " = " + kv.getValue() + " create " + kv.getCreateRevision() + " mod " + kv.getModRevision() + " lease " + kv.getLease());
                }
            }
            Thread.sleep(1);
            }
            for (var f : fs) f.get(1, TimeUnit.SECONDS);
            System.err.println("MULTI " + (System.nanoTime() - begun) / 1000000);
        }
    }
}
