package orders

import io.belay.DistributedLock
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.future.await
import kotlinx.coroutines.future.future

/** Runs a body under the lock. No thread waits for it, and it is given back though the coroutine is cancelled. */
suspend fun <T : Any> DistributedLock.withLockSuspending(body: suspend () -> T): T =
    coroutineScope { callAsync { future { body() } }.await() }
