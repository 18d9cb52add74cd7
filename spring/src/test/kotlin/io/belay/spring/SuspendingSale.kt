package io.belay.spring

import java.util.Optional
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import org.springframework.transaction.annotation.Transactional

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
}
