package io.belay.file;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.servers.ChildJvm;
import java.io.IOException;

/** A process of its own that leads, and has set a latch, until it is killed. */
final class CoordinationProcess {
    static final String ELECTION = "election";
    static final String LATCH = "latch";
    static final int COUNT = 3;

    private CoordinationProcess() {}

    static ChildJvm start(String url) throws IOException {
        return ChildJvm.start(CoordinationProcess.class, url);
    }

    public static void main(String[] arguments) throws Exception {
        try (Belay belay = Belay.connect(arguments[0])) {
            if (!belay.countDownLatch(LATCH).trySetCount(COUNT)) {
                throw new IllegalStateException("the latch is set already");
            }
            Lease term = belay.election(ELECTION).campaign();
            System.out.println(term.token());
            System.in.readAllBytes();
        }
    }
}
