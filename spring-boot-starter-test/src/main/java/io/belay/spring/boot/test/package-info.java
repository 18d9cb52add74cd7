/**
 * Belay in the tests of Spring Boot applications: {@link io.belay.spring.boot.test.AutoConfigureTestLocks} puts a store in memory
 * in the place of the application's.
 */
@NullMarked
package io.belay.spring.boot.test;

import org.jspecify.annotations.NullMarked;
