package io.belay.spring

import java.util.concurrent.CompletableFuture
import java.util.stream.Stream
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.flowOf
import org.springframework.http.ResponseEntity
import reactor.core.publisher.Mono

/** A bean whose function tells what it returns by a type parameter alone, as Spring does not look at it. */
open class SuspendsToAny<T>(private val result: T) {
    @Locked("x")
    open suspend fun sell(): T = result
}

/** A bean whose function returns what is read after that. */
open class SuspendsToAFlowOfAClass : SuspendsToAny<Flow<String>>(flowOf("sold"))

/** Callers of beans whose function tells by a type parameter what it returns. */
interface Suspends<T> {
    suspend fun sell(): T
}

/** A bean whose function returns what is read after that, for those who know it by its interface. */
class SuspendsToAFlowOfAnInterface : Suspends<Flow<String>> {
    @Locked("x")
    override suspend fun sell(): Flow<String> = flowOf("sold")
}

/** A bean whose function returns what is read after that. */
open class SuspendsToAFlowInside {
    @Locked("x")
    open suspend fun sell(): ResponseEntity<Flow<String>> = ResponseEntity.ok(flowOf("sold"))
}

/** Likewise. */
open class SuspendsToAStateFlow {
    @Locked("x")
    open suspend fun sell(): StateFlow<String> = MutableStateFlow("sold")
}

/** Likewise. */
open class SuspendsToAStream {
    @Locked("x")
    open suspend fun sell(): Stream<String> = Stream.of("sold")
}

/** A bean whose function has begun something when it returns. */
open class SuspendsToAJob {
    @Locked("x")
    open suspend fun sell(): Job = Job()
}

/** Likewise. */
open class SuspendsToADeferred {
    @Locked("x")
    open suspend fun sell(): Deferred<String> = CompletableDeferred("sold")
}

/** Likewise. */
open class SuspendsToAFuture {
    @Locked("x")
    open suspend fun sell(): CompletableFuture<String> = CompletableFuture()
}

/** Likewise. */
open class SuspendsToAMono {
    @Locked("x")
    open suspend fun sell(): Mono<String> = Mono.just("sold")
}

/** A bean whose function cannot be skipped. */
open class SuspendsToAResult {
    @Locked("x", otherwise = Locked.Otherwise.SKIP)
    open suspend fun sell(): ResponseEntity<Void> = ResponseEntity.ok().build()
}
