package io.belay.spring

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
}
