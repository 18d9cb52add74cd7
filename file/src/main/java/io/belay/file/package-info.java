/**
 * The store {@code file:DIR}: any number of processes of one host, and no server.
 *
 * <p>All state lies in files that every process maps. A name belongs to one of {@link io.belay.file.RootTable#BUCKETS}
 * buckets; the state of a bucket is one {@link io.belay.file.Document}, and changes only by a compare-and-set of the
 * bucket's head word ({@link io.belay.file.RootTable}). Each client writes its proposals into an area of its own
 * ({@link io.belay.file.OwnArea}), so a client that is stopped or killed at any instruction leaves nothing half done
 * and holds up nobody ({@link io.belay.file.Table}).
 *
 * <p>A client enters the directory through the {@link io.belay.file.Entrance}, makes its socket, its area and its slot,
 * and is a {@link io.belay.file.ClientSession} from then on. A client that only looks is a
 * {@link io.belay.file.ReadOnlyStore} instead. {@link io.belay.file.Access} says which users may share the directory.
 *
 * <p>Unix domain sockets carry pushes, and show which clients have died: only a dead client's socket refuses
 * connections ({@link io.belay.file.ClientLinks}). Each client that notices a death reaps the dead one
 * ({@link io.belay.file.DeadClientReaper}).
 *
 * <p>The calling threads work on mapped memory and write to sockets that never block, both of which an interrupt does
 * not disturb. All code that opens or maps a file runs on the store's own thread ({@link io.belay.file.IoThread}),
 * because an interrupt closes the file channel that a thread is using.
 */
@NullMarked
package io.belay.file;

import org.jspecify.annotations.NullMarked;
