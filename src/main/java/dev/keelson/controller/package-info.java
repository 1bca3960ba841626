/** Loops that bring the world to what objects say, as users of the API. */
@NullMarked
package dev.keelson.controller;

import org.jspecify.annotations.NullMarked;
