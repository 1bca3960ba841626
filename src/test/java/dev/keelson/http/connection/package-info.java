/** Tests of reading requests and writing answers. */
@NullMarked
package dev.keelson.http.connection;

import org.jspecify.annotations.NullMarked;
