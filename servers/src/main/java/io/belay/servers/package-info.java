/**
 * Real servers for the tests and the benchmarks of the other modules: {@link io.belay.servers.RedisServer} starts one,
 * {@link io.belay.servers.RedisSentinels} and {@link io.belay.servers.RedisCluster} start several that belong
 * together, {@link io.belay.servers.PostgresServer}, {@link io.belay.servers.MariaDbServer},
 * {@link io.belay.servers.MySqlServer}, {@link io.belay.servers.EtcdServer}, {@link io.belay.servers.ZooKeeperServer}
 * and {@link io.belay.servers.MongoServer} start the others, {@link io.belay.servers.TcpProxy} stands between it and
 * its clients and makes the network fail, and {@link io.belay.servers.Certificates} gives it an identity. Everything
 * listens on 127.0.0.1 only, and what a test forgets to close ends with its JVM.
 */
@NullMarked
package io.belay.servers;

import org.jspecify.annotations.NullMarked;
