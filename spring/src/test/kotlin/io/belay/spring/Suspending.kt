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
