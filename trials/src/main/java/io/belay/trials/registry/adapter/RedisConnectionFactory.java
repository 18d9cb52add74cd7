package io.belay.trials.registry.adapter;

/** A sign for the store that the tests run on. */
public final class RedisConnectionFactory {}
