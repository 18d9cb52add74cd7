/**
 * The contract between the engine and a store: the interfaces that a store implements, the values that both exchange, and the
 * reference model that every store follows. It may change in a minor version until 2.0.
 *
 * <p>{@link io.belay.spi.Resource} is the model: a resource with its ordered weighted claims, as an immutable value.
 * {@link io.belay.spi.Request} are the operations on it, {@link io.belay.spi.Answer} and {@link io.belay.spi.Push} what
 * clients are told. A {@link io.belay.spi.Store} carries requests to where resources are kept;
 * {@link io.belay.spi.StoreProvider} opens it by URL, in which the engine has put what variables stand for.
 *
 * <p><b>Values.</b> Stores make them by named factories and by copies that name what they set. Nobody else implements their
 * interfaces, and each is checked when it is made: stores are not trusted blindly.
 *
 * <p><b>What a store can do</b> it says by {@link io.belay.spi.Capabilities}. What it does not say it cannot do; so it is with
 * all that is added after it was written.
 *
 * <p><b>What a store does not know.</b> A request of a kind that was added later changes nothing, and fails with
 * {@link io.belay.spi.StoreException#unusable}; the message says that the store is older than the client. A store that runs the
 * model ({@link io.belay.spi.Request#applyTo}) knows all kinds.
 */
@NullMarked
package io.belay.spi;

import org.jspecify.annotations.NullMarked;
