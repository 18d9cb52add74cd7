/**
 * Servers of Debian's other suites, for the machine that runs the tests: {@link io.belay.servers.fetch.DebianServer}
 * lists them, {@link io.belay.servers.fetch.FetchedServer} has one downloaded and unpacked in the user's cache, and
 * nothing of it is installed. The environment variable {@code BELAY_FETCH_SERVERS=true} allows to download, and {@code
 * BELAY_SERVERS=postgresql-18,redis-8.0} chooses what tests run instead of the programs of the machine.
 */
@NullMarked
package io.belay.servers.fetch;

import org.jspecify.annotations.NullMarked;
