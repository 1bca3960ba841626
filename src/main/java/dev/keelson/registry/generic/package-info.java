/**
 * The verbs on every stored resource, in one class: {@link
 * dev.keelson.registry.generic.GenericRegistry} puts reading and writing together.
 */
@NullMarked
package dev.keelson.registry.generic;

import org.jspecify.annotations.NullMarked;
