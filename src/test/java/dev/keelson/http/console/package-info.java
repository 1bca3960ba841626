@NullMarked
package dev.keelson.http.console;

import org.jspecify.annotations.NullMarked;
