/** The shop's addresses. */
@NullMarked
package io.belay.shop.web;

import org.jspecify.annotations.NullMarked;
