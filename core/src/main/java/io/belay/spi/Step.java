package io.belay.spi;

import java.util.List;

/**
 * The outcome of one operation of the reference model.
 *
 * @param next the state of the resource afterwards; the same object when nothing changed
 * @param answer what the caller is told
 * @param granted the claims that were granted although their owner was not asking: each is to be pushed
 * @param ended the claims that were ended by force or no longer fit: each is to be pushed
 */
public record Step(Resource next, Answer answer, List<Claim> granted, List<Claim> ended) {}
