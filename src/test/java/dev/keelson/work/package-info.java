/** Tests of the turns of requests. */
@NullMarked
package dev.keelson.work;

import org.jspecify.annotations.NullMarked;
