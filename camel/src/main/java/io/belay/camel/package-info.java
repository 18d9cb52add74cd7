/** Apache Camel's clusters on Belay: {@link io.belay.camel.BelayClusterService} elects the leader of each namespace. */
@NullMarked
package io.belay.camel;

import org.jspecify.annotations.NullMarked;
