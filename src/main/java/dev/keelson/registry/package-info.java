/**
 * What create, read, replace and delete mean for every resource: metadata, names, preconditions,
 * conflicts, conversion between versions. Works on trees in the stored version; knows no HTTP.
 * Begin with {@link dev.keelson.registry.GenericRegistry}.
 */
@NullMarked
package dev.keelson.registry;

import org.jspecify.annotations.NullMarked;
