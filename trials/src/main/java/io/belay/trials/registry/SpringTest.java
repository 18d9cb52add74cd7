package io.belay.trials.registry;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A test of Spring Integration's. */
enum SpringTest {
    REDIS("RedisLockRegistryTests", "org.springframework.integration.redis.util"),
    JDBC("JdbcLockRegistryTests", "org.springframework.integration.jdbc.lock"),
    JDBC_CLIENTS("JdbcLockRegistryDifferentClientTests", "org.springframework.integration.jdbc.lock"),
    ZOOKEEPER("ZkLockRegistryTests", "org.springframework.integration.zookeeper.lock");

    private final String title;
    private final String folder;

    SpringTest(String title, String folder) {
        this.title = title;
        this.folder = folder;
    }

    /** The simple name of its class. */
    String title() {
        return title;
    }

    String className() {
        return folder + "." + title;
    }

    static Optional<SpringTest> of(String title) {
        return Stream.of(values()).filter(one -> one.title.equals(title)).findFirst();
    }

    static List<String> titles() {
        return Stream.of(values()).map(SpringTest::title).toList();
    }
}
