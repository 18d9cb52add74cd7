/**
 * Fencing tokens in HTTP requests. {@link io.belay.http.FencedRequests} puts them into what the JDK's client sends;
 * {@link io.belay.http.FencingTokenFilter} takes them out in a server of servlets, for a guard of the data.
 */
@NullMarked
package io.belay.http;

import org.jspecify.annotations.NullMarked;
