package orders;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.Lease;

public class FirstLock {
    public static void main(String[] args) throws InterruptedException {
        try (Belay belay = Belay.connect("file:${HOME}/.belay/first")) {
            DistributedLock lock = belay.lock("stock:iphone");
            try (Lease lease = lock.acquire()) { // waits for its turn
                lease.onLost(loss -> System.err.println(loss.getMessage()));
                System.out.println("It is mine, by token " + lease.token());
            }
        }
    }
}
