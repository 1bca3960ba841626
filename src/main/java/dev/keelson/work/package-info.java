/**
 * The share of the processors that one request may take. Long computations of any layer pass {@link
 * dev.keelson.work.Turn#pass}; only the request's thread knows whose work it is.
 */
@NullMarked
package dev.keelson.work;

import org.jspecify.annotations.NullMarked;
