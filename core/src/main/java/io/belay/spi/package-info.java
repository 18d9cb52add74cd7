/**
 * The interfaces that a store implements, and the reference model that every store follows.
 *
 * <p>{@link io.belay.spi.Resource} is the model: a resource with its ordered weighted claims, as an immutable value.
 * {@link io.belay.spi.Request} are the operations on it, {@link io.belay.spi.Answer} and {@link io.belay.spi.Push} what
 * clients are told. A {@link io.belay.spi.Store} carries requests to where resources are kept;
 * {@link io.belay.spi.StoreProvider} opens it by URL, in which {@link io.belay.support.UrlVariables} has put what
 * variables stand for. Stores log through {@link io.belay.support.Log}, which waits for no appender.
 */
@NullMarked
package io.belay.spi;

import org.jspecify.annotations.NullMarked;
