/** Controllers, which are clients of the API: control loops and work queues. */
@NullMarked
package dev.keelson.controller;

import org.jspecify.annotations.NullMarked;
