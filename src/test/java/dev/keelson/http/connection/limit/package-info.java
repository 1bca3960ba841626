/** Tests of the bounds that connections share. */
@NullMarked
package dev.keelson.http.connection.limit;

import org.jspecify.annotations.NullMarked;
