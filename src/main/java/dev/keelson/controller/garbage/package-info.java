/**
 * The garbage collector: cascading deletion by owner references. A client of the API. Begin with
 * {@link dev.keelson.controller.garbage.GarbageCollector}.
 */
@NullMarked
package dev.keelson.controller.garbage;

import org.jspecify.annotations.NullMarked;
