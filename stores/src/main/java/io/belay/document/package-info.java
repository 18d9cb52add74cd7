/**
 * Stores on databases that keep each resource as one document, which clients change by compare-and-set: what such a
 * store is beside its {@link io.belay.document.Documents}.
 */
@NullMarked
package io.belay.document;

import org.jspecify.annotations.NullMarked;
