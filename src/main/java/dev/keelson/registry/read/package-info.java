/**
 * GET, LIST and WATCH: which state a read shows, selectors, continue tokens, and watches from the
 * cache or the store. Changes nothing. Begin with {@link dev.keelson.registry.read.Reading} and
 * {@link dev.keelson.registry.read.Watching}.
 */
@NullMarked
package dev.keelson.registry.read;

import org.jspecify.annotations.NullMarked;
