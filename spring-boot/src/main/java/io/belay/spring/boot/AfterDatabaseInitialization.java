package io.belay.spring.boot;

import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/** Makes the client connect after Flyway, Liquibase or a script have made its tables, where one of them does. */
final class AfterDatabaseInitialization extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {
    @Override
    protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
        return Set.of(ConnectedClient.class);
    }
}
