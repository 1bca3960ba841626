/** Tests of the reviews without HTTP. */
@NullMarked
package dev.keelson.http.access;

import org.jspecify.annotations.NullMarked;
