package io.belay.spring

import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf

/** A bean whose function suspends while another process may come to lead. */
open class SuspendingLeader {
    @LeaderOnly("x", otherwise = Locked.Otherwise.THROW)
    open suspend fun sell(): String = "sold"
}

/** A bean whose function emits when another process may lead. */
open class FlowingLeader {
    @LeaderOnly("x", otherwise = Locked.Otherwise.THROW)
    open fun sell(): Flow<String> = flowOf("sold")
}

/** A bean whose function has begun something when it returns. */
open class LaunchingLeader {
    @LeaderOnly("x", otherwise = Locked.Otherwise.THROW)
    open fun sell(): Job = Job()
}

/** The same under a lock. */
open class LaunchingSale {
    @Locked("x")
    open fun sell(): Job = Job()
}
