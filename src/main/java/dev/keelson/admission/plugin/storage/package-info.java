/**
 * Admission plugins for claims and volumes: the default class, what may grow, and the finalizers of
 * what is in use, which controllers remove. Begin with {@link
 * dev.keelson.admission.plugin.storage.StorageObjectInUseProtection}.
 */
@NullMarked
package dev.keelson.admission.plugin.storage;

import org.jspecify.annotations.NullMarked;
