/** Locks by annotation for the Spring Framework, on any store of Belay. */
module io.belay.spring {
    requires transitive io.belay;
    requires transitive spring.aop;
    requires transitive spring.context;
    requires spring.beans;
    requires spring.core;
    requires spring.expression;
    requires static transitive io.belay.jdbc;
    requires static transitive java.sql;
    requires static kotlin.stdlib;
    requires static kotlinx.coroutines.core;
    requires static org.jspecify;
    requires static org.reactivestreams;
    requires static reactor.core;
    requires static spring.jdbc;
    requires static spring.tx;
    requires static transitive spring.web;

    exports io.belay.spring;

    // Spring makes what is configured here.
    opens io.belay.spring;
}
