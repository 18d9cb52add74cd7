/** A lock registry and a leader initiator for Spring Integration, on any store of Belay. */
module io.belay.spring.integration {
    requires transitive io.belay;
    requires transitive spring.integration.core;
    requires transitive spring.context;
    requires spring.beans;
    requires spring.core;
    requires org.apache.commons.logging;
    requires static org.jspecify;

    exports io.belay.spring.integration;
}
