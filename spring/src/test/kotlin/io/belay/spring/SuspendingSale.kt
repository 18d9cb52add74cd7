package io.belay.spring

import java.util.Optional
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.springframework.transaction.annotation.Propagation
import org.springframework.transaction.annotation.Transactional
import reactor.core.publisher.Mono

/** A bean whose methods suspend. */
open class SuspendingSale(private val sale: Sale) {
    @Locked("stock:#{#item}")
    @Transactional("reactive")
    open suspend fun suspending(item: Int): String {
        sale.note("body")
        delay(10)
        sale.note("resumed")
        return "sold"
    }

    @Locked("stock:#{#item}")
    @Transactional
    open suspend fun ofABlockingManager(item: Int): String = suspending(item)

    @Locked("stock:#{#item}")
    @Transactional
    open fun monoOfABlockingManager(item: Int): Mono<String> = Mono.just("sold $item")

    @Locked("stock:#{#item}")
    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    open suspend fun ofNone(item: Int): String = suspending(item)

    @Locked("stock:#{#item}")
    open fun flowing(item: Int): Flow<String> = flow {
        sale.note("body")
        emit("a")
        emit("b")
        sale.note("flowed")
    }

    @Locked("stock:#{#item}")
    open suspend fun suspendingFlow(item: Int): Flow<String> = flowing(item)

    @Locked("stock:#{#item}", otherwise = Locked.Otherwise.SKIP)
    open suspend fun job(item: Int) {
        delay(10)
        sale.note("body")
    }

    @Locked("stock:#{#item}", otherwise = Locked.Otherwise.SKIP)
    open suspend fun perhaps(item: Int): Optional<String> {
        delay(10)
        return Optional.of("sold")
    }

    @Locked("#{#name}")
    open suspend fun cleaning(name: String, begun: CompletableDeferred<Unit>, goOn: CompletableDeferred<Unit>) {
        sale.note("body")
        begun.complete(Unit)
        try {
            awaitCancellation()
        } finally {
            withContext(NonCancellable) {
                goOn.await()
                sale.note("cleaned")
            }
        }
    }

    @Locked("stock:#{#item}")
    open suspend fun around(item: Int, inner: suspend () -> Unit) = inner()

    /** Cancels a call of a proxy's which cleans up for longer than its caller waits, nested in another one or not. */
    fun cancel(proxy: SuspendingSale, name: String, nested: Boolean) = runBlocking {
        val begun = CompletableDeferred<Unit>()
        val goOn = CompletableDeferred<Unit>()
        val call = launch(Dispatchers.Default) {
            if (nested) proxy.around(7) { proxy.cleaning(name, begun, goOn) } else proxy.cleaning(name, begun, goOn)
        }
        begun.await()
        call.cancelAndJoin()
        sale.note("cancelled")
        goOn.complete(Unit)
    }
}
