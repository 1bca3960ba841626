/** What is special about kinds of the group apps. Objects are in apps/v1. */
@NullMarked
package dev.keelson.registry.apps;

import org.jspecify.annotations.NullMarked;
