/** Tests of single filters of the chain. */
@NullMarked
package dev.keelson.http.filter;

import org.jspecify.annotations.NullMarked;
