/** What clients alone know, and tell: that of this application, and those that are asked at an address. */
@NullMarked
package io.belay.dashboard.client;

import org.jspecify.annotations.NullMarked;
