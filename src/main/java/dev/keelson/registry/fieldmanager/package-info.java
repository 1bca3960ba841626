/**
 * Keeps {@code metadata.managedFields} on updates and carries out server-side apply (KEP-555). The
 * sets and their merge are in {@code schema.apply}. Begin with {@link
 * dev.keelson.registry.fieldmanager.FieldManager}.
 */
@NullMarked
package dev.keelson.registry.fieldmanager;

import org.jspecify.annotations.NullMarked;
