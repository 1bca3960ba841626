/**
 * Writes the stored objects of a resource again, so that changes of the storage version, of the
 * media type in the store and of encryption at rest reach old objects (KEP-4192). Begin at {@link
 * dev.keelson.controller.storagemigration.StorageVersionMigrator}.
 */
@NullMarked
package dev.keelson.controller.storagemigration;

import org.jspecify.annotations.NullMarked;
