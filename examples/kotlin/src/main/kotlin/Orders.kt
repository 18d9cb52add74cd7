package orders

import io.belay.Belay
import io.belay.BelayOptions
import java.time.Duration
import kotlinx.coroutines.runBlocking

/** Takes a lock twice: once by waiting, and once by a try that may come to nothing. */
fun main(args: Array<String>) {
    val url = args.firstOrNull() ?: "file:\${HOME}/.belay/kotlin"
    Belay.connect(url, BelayOptions.defaults().withClientName("orders")).use { belay ->
        val lock = belay.lock("stock:iphone")
        // A lease is AutoCloseable, so `use` gives the lock back.
        lock.acquire().use { lease ->
            println("It is mine, by token ${lease.token()}")
            val second = lock.tryAcquire(Duration.ofMillis(200))
            println(if (second.isEmpty) "Nobody else gets it meanwhile" else "This must not happen")
        }
        println("It is ${runBlocking { lock.withLockSuspending { "mine" } }} in a coroutine, too")
    }
}
