/**
 * Protection of claims, volumes and attributes classes in use: removes their finalizers when they
 * may be deleted. Begin with {@link dev.keelson.controller.storage.ProtectionController}.
 */
@NullMarked
package dev.keelson.controller.storage;

import org.jspecify.annotations.NullMarked;
