/** A cluster service for Apache Camel, on any store of Belay. */
module io.belay.camel {
    requires transitive io.belay;
    requires transitive camel.support;
    requires transitive camel.api;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.belay.camel;
}
