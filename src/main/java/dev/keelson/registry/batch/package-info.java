/** What is special about kinds of the group batch. Objects are in batch/v1. */
@NullMarked
package dev.keelson.registry.batch;

import org.jspecify.annotations.NullMarked;
